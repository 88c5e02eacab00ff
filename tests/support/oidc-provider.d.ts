/** The parts of the package, which has no types, that the tests use. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  export default class Provider {
    constructor(issuer: string, configuration: object);
    callback(): (request: IncomingMessage, response: ServerResponse) => void;
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>;
    on(event: string, listener: (...values: never[]) => void): this;
    Grant: new (fields: { accountId: string; clientId: string }) => GrantObject;
  }

  export interface GrantObject {
    addOIDCScope(scope: string): void;
    save(): Promise<string>;
  }
}
