import type { Admission } from '../../shared/openapi/document.ts';
import type { CallerKind } from '../contract/caller.ts';
import type { Endpoint } from '../contract/endpoint.ts';

const callerWords: Readonly<Record<CallerKind, string>> = {
  api_key: 'an API key',
  session: 'a session key',
  user: 'a user name and password',
};

type Access = Pick<Endpoint, 'role' | 'lowerRole' | 'scoped' | 'relay' | 'gateway' | 'callers'>;

function wordsOf({ role, lowerRole, scoped, relay, gateway, callers }: Access): string {
  if (role === 'none') return 'Requires no credentials.';
  const kinds = callers === undefined ? '' : ` Only with ${callers.map((kind) => callerWords[kind]).join(' or ')}.`;
  const registrar = scoped === true ? ' A **Registrar** may call it within its node.' : '';
  const relays = relay === true ? ' A **Relay** may call it.' : '';
  const gateways = gateway === true ? ' A **Gateway** may call it.' : '';
  const lower =
    lowerRole === undefined
      ? ''
      : ` A **${lowerRole.role}** may call it if \`${lowerRole.field}\` is \`${lowerRole.value}\`.`;
  return `Role: **${role}**${role === 'Admin' ? '' : ' or higher'}.${lower}${registrar}${relays}${gateways}${kinds}`;
}

function securityOf({ role, callers }: Access): Pick<Admission, 'security'> {
  if (role === 'none') return { security: [] };
  return callers?.every((kind) => kind === 'user') === true ? { security: [{ Basic: [] }] } : {};
}

/** The callers that an endpoint admits. Registrars, Relays and Gateways are outside the order of roles. */
export function admissionOf(endpoint: Access): Admission {
  const { role, lowerRole, scoped, relay, gateway, callers } = endpoint;
  const extensions = {
    ...(lowerRole === undefined ? {} : { 'x-lower-role': lowerRole.role }),
    ...(role === 'none' || scoped === true ? { 'x-registrar': true as const } : {}),
    ...(relay === true ? { 'x-relay': true as const } : {}),
    ...(gateway === true ? { 'x-gateway': true as const } : {}),
    ...(callers === undefined ? {} : { 'x-callers': callers.join(' ') }),
  };
  return { words: wordsOf(endpoint), extensions, ...securityOf(endpoint) };
}
