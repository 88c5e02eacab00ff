import { randomUUID } from 'node:crypto';
import { serviceTypeTable } from '../../functions/domain/service/types.ts';
import type { Random } from '../consistency/random.ts';
import type { Reply } from '../support/inventory.ts';
import type { Credential, Kind } from './credential-kinds.ts';
import type { Scenery } from './scenery.ts';

/** A request before it is sent. */
export interface Draft {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: any;
  headers?: Record<string, string>;
  sourceIp?: string;
  /** Presented instead of the credential of the scene, which the request would end. */
  credential?: Credential;
  /** The proof of identity in the body. */
  proof?: string;
  /** Removes what a success has made, so that no limit is reached. */
  cleanUp?: (body: any) => Promise<unknown>;
}

interface Home {
  node: any;
  service: any;
  process: any;
  exporter: any;
}

/** A credential and what it can work with. */
export class Scene {
  readonly scenery: Scenery;
  readonly random: Random;
  readonly kind: Kind;
  readonly credential: Credential;
  readonly #own = new Map<string, Promise<any>>();
  readonly #left: string[] = [];

  constructor(given: Pick<Scene, 'scenery' | 'random' | 'kind' | 'credential'>) {
    this.scenery = given.scenery;
    this.random = given.random;
    this.kind = given.kind;
    this.credential = given.credential;
  }

  get owner(): string | undefined {
    return this.kind.owners?.[0];
  }

  /** The labels of an object that the credential may write. */
  get labels(): Record<string, string> {
    return this.owner === undefined ? {} : { team: this.owner };
  }

  get isHost(): boolean {
    return this.kind.role === 'Registrar';
  }

  /** The life of what a key with an end makes. */
  get life(): string {
    return this.random.pick(this.kind.ends === true ? ['1m', '90s', '2m'] : ['5m', '1h', '91d']);
  }

  name(): string {
    return `${this.random.pick(['n', 'Größe', 'a b', '数', 'x_1'])}-${randomUUID()}`;
  }

  send(method: string, path: string, body?: object, credential = this.credential): Promise<Reply> {
    const { authorization } = credential;
    return this.scenery.inventory.request(method, path, {
      as: null,
      headers: authorization === undefined ? {} : { Authorization: authorization },
      ...(body === undefined ? {} : { body }),
    });
  }

  another(): Promise<Credential> {
    return this.kind.make(this.scenery);
  }

  /**
   * A new object where `isUsedUp`, else one that is made once.
   *
   * @param pathOf where it is removed at the end, so that no limit is reached.
   */
  target(name: string, isUsedUp: boolean, make: () => Promise<any>, pathOf?: (made: any) => string): Promise<any> {
    const making = async () => {
      const made = await make();
      if (pathOf !== undefined) this.#left.push(pathOf(made));
      return made;
    };
    return isUsedUp ? making() : this.#once(name, making);
  }

  /** Removes what it has made, as far as it is still there. */
  async end(): Promise<void> {
    const { request } = this.scenery.inventory;
    for (const path of this.#left.splice(0)) await request('DELETE', path);
  }

  #once(name: string, make: () => Promise<any>): Promise<any> {
    const promise = this.#own.get(name) ?? make();
    this.#own.set(name, promise);
    return promise;
  }

  /** What the caller makes once and keeps; where it may not, an Admin makes it. */
  madeOnce(name: string, method: string, path: string, body: () => object): Promise<any> {
    const make = async () => {
      const { status, body: made } = await this.send(method, path, body());
      return status < 300 ? made : this.scenery.admin(method, path, body());
    };
    return this.#once(name, make);
  }

  add(path: string, body: object): Promise<any> {
    return this.scenery.admin('POST', path, { custom_labels: this.labels, ...body });
  }

  addNode(more: object = {}): Promise<any> {
    return this.add('/v1/nodes', {
      node_type: 'generic',
      node_name: this.name(),
      address: this.scenery.address(),
      ...more,
    });
  }

  addService(node_id: string, service_type = 'mysql'): Promise<any> {
    const { options } = serviceTypeTable[service_type as keyof typeof serviceTypeTable];
    const place = options.some((name) => name === 'address') ? { address: '10.0.0.1', port: 3306 } : {};
    const body = { service_type, service_name: this.name(), node_ids: [node_id], cluster: `c-${node_id}`, ...place };
    return this.add('/v1/services', body);
  }

  /** A host with all that runs on it: for a host's key, its own. */
  home(): Promise<Home> {
    const make = async () => {
      const { node_id: ownNodeId } = this.credential;
      const node =
        ownNodeId === undefined ? await this.addNode() : await this.scenery.admin('GET', `/v1/nodes/${ownNodeId}`);
      const process = await this.add('/v1/agents', { agent_type: 'pmm_agent', runs_on_node_id: node.node_id });
      const service = await this.addService(node.node_id);
      const exporter = await this.addExporter(process.agent_id, service.service_id);
      return { node, service, process, exporter };
    };
    return this.#once('home', make);
  }

  addExporter(pmm_agent_id: string, service_id: string): Promise<any> {
    return this.add('/v1/agents', {
      agent_type: 'mysqld_exporter',
      pmm_agent_id,
      insights: { service_ids: [service_id] },
    });
  }
}

// Objects -------------------------------------------------------------------------------------------------------------
