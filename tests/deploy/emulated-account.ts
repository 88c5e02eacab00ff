import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Request, requestsTo } from './api.ts';
import { Account } from './aws.ts';
import type { DeployTarget } from './cdk.ts';
import { assertEmulator } from './guard.ts';
import { type MiniStack, startMiniStack } from './ministack.ts';

/** An empty account of an emulator of its own. */
export interface EmulatedAccount {
  /** Its `home` is a temporary folder. */
  target: DeployTarget;
  account: Account;
  ministack: MiniStack;
  /** The URL of the stage of the only API. */
  stage: () => Promise<string>;
  /** Sends requests to the stage. */
  requests: () => Promise<Request>;
  stop: () => Promise<void>;
}

/**
 * @param program the path of MiniStack.
 * @param environment see `startMiniStack`.
 */
export async function openAccount(program: string, environment?: Record<string, string>): Promise<EmulatedAccount> {
  const home = await mkdtemp(join(tmpdir(), 'deploy-'));
  const ministack = await startMiniStack(program, environment);
  const { endpoint } = ministack;
  const account = new Account(endpoint);
  // The account that the emulator reports, not the one that is expected.
  const target = { endpoint, account: await account.accountId(), home };
  assertEmulator(target);
  const stage = async () => {
    const apis = await account.restApis();
    expect(apis).toHaveLength(1);
    return `${endpoint}/_aws/execute-api/${apis[0]!}/live`;
  };
  return {
    target,
    account,
    ministack,
    stage,
    requests: async () => requestsTo(await stage()),
    stop: async () => {
      await ministack.stop();
      await rm(home, { recursive: true, force: true });
    },
  };
}
