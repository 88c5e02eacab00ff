/** The identity provider of tests in a process of its own, whose environment can have another clock. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type OidcServer, type OidcServerOptions, startOidcServer } from './oidc-server.ts';

export interface OidcProcess extends Pick<OidcServer, 'issuer' | 'clientId' | 'clientSecret'> {
  /** The paths of all requests. */
  requests: () => Promise<string[]>;
  stop: () => Promise<void>;
}

export async function startOidcProcess(
  options: OidcServerOptions,
  environment: Record<string, string>,
): Promise<OidcProcess> {
  const child = fork(fileURLToPath(import.meta.url), [JSON.stringify(options)], {
    env: { ...process.env, ...environment },
  });
  const [settings] = (await once(child, 'message')) as [Pick<OidcServer, 'issuer' | 'clientId' | 'clientSecret'>];
  return {
    ...settings,
    requests: async () => {
      child.send('requests');
      const [paths] = (await once(child, 'message')) as [string[]];
      return paths;
    },
    stop: async () => {
      child.kill();
      await once(child, 'exit');
    },
  };
}

if (import.meta.main) {
  const server = await startOidcServer(JSON.parse(process.argv[2] ?? '{}') as OidcServerOptions);
  const { issuer, clientId, clientSecret } = server;
  process.on('message', () => process.send?.(server.requests));
  process.send?.({ issuer, clientId, clientSecret });
}
