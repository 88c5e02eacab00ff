import type { Dependencies } from '../../runtime/dependencies.ts';
import type { Caller } from '../../contract/caller.ts';
import type { Generation } from '../declarations/enums.ts';
import type { ServedRoute } from '../declarations/route.ts';
import type { Fields } from './input.ts';
import type { ListMessage } from './list-message.ts';

/** One request of a client of PMM, after its route was found and its caller admitted. */
export interface WireCall {
  route: ServedRoute;
  generation: Generation;
  /** The parameters of path and query, and the fields of the body. */
  input: Fields;
  caller: () => Caller;
  requestId: string;
  sourceIp: string;
  dependencies: Dependencies;
}

/** The message of a reply; a list only in Grafana's API. */
export type Message = Record<string, unknown> | readonly unknown[];

export type Operation = (call: WireCall) => Promise<Message | ListMessage>;

export type Operations = Readonly<Record<string, Operation>>;
