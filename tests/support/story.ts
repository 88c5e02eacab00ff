import * as table from '../../functions/api/endpoint-table.ts';
import type { examples } from '../../functions/openapi/examples.ts';
import { bodyFormatOf, successStatuses } from '../../shared/http/http-contract.ts';
import { mediaTypes } from '../../shared/core/format.ts';
import { toLines } from '../../shared/http/lines.ts';
import { simpleReads } from './simple-reads.ts';
import type { Example } from '../../shared/openapi/example.ts';

export type Id = keyof typeof examples;

/** Endpoints whose examples depend on the ones before them, in this order. */
const told: readonly Id[] = [
  ...(['getReadiness', 'getVersion', 'getCaller'] as const),
  ...(['addNode', 'addService', 'addAgent'] as const),
  ...(['getNode', 'getService', 'getAgent', 'listNodes', 'listServices', 'listAgents'] as const),
  ...(['getClusterStates', 'discoverTargets'] as const),
  ...(['addSilence', 'listSilences', 'removeSilence'] as const),
  ...(['changeNode', 'changeService', 'changeAgent', 'upsertNode', 'upsertService', 'upsertAgent'] as const),
  ...(['listNodeHistory', 'listServiceHistory', 'listAgentHistory', 'listChanges', 'listAudit'] as const),
  'getObjectAsOf',
  'reportAgents',
  'takeReports',
  ...(['addApiKey', 'admitAgents'] as const),
  ...(['removeAgent', 'removeService', 'removeNode'] as const),
  ...(['listRemoved', 'restoreRemoved', 'cleanUp'] as const),
  ...(['runBatch', 'exportInventory', 'importInventory'] as const),
  ...(['reconcile', 'getReconciliation', 'cancelReconciliation'] as const),
  ...(['listApiKeys', 'rotateApiKey', 'rotateOwnApiKey', 'changeApiKey', 'removeApiKey'] as const),
  ...(['addEnrolmentToken', 'listEnrolmentTokens', 'removeEnrolmentToken', 'enrolNode'] as const),
  ...(['addSession', 'listSessions', 'authorizeDevice', 'answerDevice'] as const),
  ...(['endSession', 'removeSession'] as const),
  ...(['addUser', 'logIn', 'listUsers', 'changeUser', 'endUserSessions', 'inviteUser', 'removeUser'] as const),
  ...(['addSavedFilter', 'listSavedFilters', 'changeSavedFilter', 'removeSavedFilter'] as const),
  ...(['addRoleBinding', 'listRoleBindings', 'getRoleBinding', 'previewRoleBindings'] as const),
  ...(['changeRoleBinding', 'removeRoleBinding'] as const),
];

const untold = simpleReads.map(({ id }) => id as Id).filter((id) => !told.includes(id));
const afterLists = told.indexOf('listAgents') + 1;

/** The examples of every endpoint, in the order in which a server can answer them. Simple reads are in it without an entry of `told`. */
export const story: readonly Id[] = [...told.slice(0, afterLists), ...untold, ...told.slice(afterLists)];

/** What a server makes up itself; an example that names it later means the server's. */
const madeUp = [
  'node_id',
  'service_id',
  'agent_id',
  'key_id',
  'token_id',
  'saved_filter_id',
  'plan_id',
  'plan_digest',
  'session_id',
  'token',
  'key',
  'invitation',
  'device_code',
  'user_code',
];

/** One telling of the story, with a server's words for the examples'. */
export class Telling {
  private readonly words = new Map<string, string>();
  private readonly keys = new Map<Id, string>();

  translated(value: unknown): any {
    if (value === undefined) return undefined;
    return JSON.parse(
      [...this.words].reduce((text, [mine, theirs]) => text.replaceAll(mine, theirs), JSON.stringify(value)),
    );
  }

  /** The request of an example, and the status that it gets. */
  requestOf(id: Id, { params = {}, body, status }: Example) {
    const { method, path } = table[id];
    return {
      method,
      url: path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(this.translated(params[name]))),
      body: bodyFormatOf(table[id]) === 'ndjson' ? toLines(this.translated(body)) : this.translated(body),
      type: mediaTypes[bodyFormatOf(table[id])],
      status: status ?? successStatuses(table[id])[0]!,
      /** The key to present, where it must be one that the story has made. */
      key: {
        answerDevice: this.keys.get('addSession'),
        removeSession: this.keys.get('addSession'),
        rotateOwnApiKey: this.keys.get('rotateApiKey'),
      }[id as string],
    };
  }

  learn(id: Id, { reply }: Example, body: any): void {
    const example = reply as any;
    for (const name of madeUp)
      if (typeof example?.[name] === 'string' && !this.words.has(example[name]))
        this.words.set(example[name], body[name]);
    // What was removed last is restored.
    if (id === 'listRemoved') this.words.set(example.removals[0].removal_id, body.removals[0].removal_id);
    // The error of a single result contains the id of the whole request.
    for (const [index, result] of (example?.results ?? []).entries())
      if (result.error !== undefined) this.words.set(result.error.request_id, body.results[index]?.error?.request_id);
    if (typeof body?.key === 'string') this.keys.set(id, body.key);
  }
}
