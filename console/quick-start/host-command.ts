import { endpoint as addAgent } from '../../functions/api/agents/add/endpoint.ts';
import { endpoint as reportAgents } from '../../functions/api/agents/report/endpoint.ts';
import { endpoint as enrolNode } from '../../functions/api/enrolment/enrol/endpoint.ts';
import type { Server } from '../ui/curl-text.ts';
import { shellWord } from '../ui/curl-text.ts';

/** The file with the key of the host, in the folder in which the command runs. */
export const KEY_FILE = 'inventory-host.key';

interface Enrolment {
  /** The secret, which works once. */
  token: string;
  node: { node_type: 'generic'; node_name: string; address: string };
}

/**
 * One command for a POSIX shell of the host: it enrols, stores its key, adds its agent process and reports once. The
 * secrets are in no argument of a program. It stops at the first failure.
 */
export function hostCommand({ baseUrl, isSelfSigned }: Server, { token, node }: Enrolment): string {
  const request = (path: string, authorization: string) =>
    `curl${isSelfSigned ? ' -k' : ''} -fsS "$url${path}"${authorization} -H 'Content-Type: application/json' -d @-`;
  // A header of a file, as other users of the host see arguments.
  const withKey = ` -H @${KEY_FILE}.header`;
  const report = reportAgents.path.replace('{agent_id}', '$agent');
  return `(
set -eu; umask 077; url=${shellWord(baseUrl)}
field() { sed -E "s/.*\\"$1\\":\\"([^\\"]*)\\".*/\\1/"; }
if [ -e ${KEY_FILE} ]; then echo '${KEY_FILE} exists already.' >&2; exit 1; fi
reply=$(${request(enrolNode.path, '')} <<'END'
${JSON.stringify({ token, node })}
END
)
echo "$reply" | field key >${KEY_FILE}
trap 'rm -f ${KEY_FILE}.header' EXIT
echo "Authorization: Bearer $(cat ${KEY_FILE})" >${KEY_FILE}.header
agent=$(echo "{\\"agent_type\\":\\"pmm_agent\\",\\"runs_on_node_id\\":\\"$(echo "$reply" | field node_id)\\"}" |
  ${request(addAgent.path, withKey)} | field agent_id)
echo '{"agents":[]}' | ${request(report, withKey)} >/dev/null
echo 'The host is enrolled and has reported. Its key is in ${KEY_FILE}.'
)`;
}

/** The command with which the host reports from then on. */
export const followCommand = ({ baseUrl, isSelfSigned }: Server): string =>
  `${isSelfSigned ? 'INVENTORY_INSECURE=1 ' : ''}inventory report --follow --url ${shellWord(baseUrl)} --key-file ${KEY_FILE}`;

/** Installs the command line from its package, which a release contains. */
export const INSTALL_COMMAND_LINE = 'npm install --global ./monitoring-inventory-cli-*.tgz';
