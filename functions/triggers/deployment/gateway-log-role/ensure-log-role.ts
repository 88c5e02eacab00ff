import * as z from 'zod/mini';
import { type ClockSource, pause } from '../../../../shared/core/monotonic-clock.ts';
import type { Step } from '../custom-resource.ts';

const propertiesSchema = z.object({ RoleArn: z.string() });

/** The setting of API Gateway for the role that writes the logs of all its APIs in an account and region. */
export interface GatewayAccount {
  logRole: () => Promise<string | undefined>;
  setLogRole: (arn: string) => Promise<void>;
  /** Whether IAM has this role. */
  roleExists: (arn: string) => Promise<boolean>;
}

/** How often and after which pause the setting is read until it has its new value: a quarter of a minute. */
interface Patience extends ClockSource {
  reads: number;
  pauseMs: number;
}

/**
 * Sets the role for API Gateway's logs unless one is set that exists. The setting is one for each account and region, and applies
 * to every API there. An AWS::ApiGateway::Account in the template would overwrite it, and remove it with the stack.
 *
 * The stage is created next, and API Gateway refuses it until the setting is visible everywhere. So the setting must be read
 * several times in succession; a retry of the step (custom-resource.ts) begins again.
 */
export function ensureLogRole(
  { logRole, setLogRole, roleExists }: GatewayAccount,
  { reads, pauseMs, ...timed }: Patience = { reads: 5, pauseMs: 3000 },
): Step {
  const isSet = async () => {
    // API Gateway returns '' or undefined when no role is set.
    const current = (await logRole()) ?? '';
    return current !== '' && (await roleExists(current));
  };
  return {
    provide: async (properties) => {
      const { RoleArn } = z.parse(propertiesSchema, properties);
      if (await isSet()) return;
      await setLogRole(RoleArn);
      for (let read = 0; read < reads; read += 1) {
        await pause(timed, pauseMs);
        if ((await logRole()) !== RoleArn)
          throw new Error('The role for the logs of API Gateway was set, but cannot be read yet.');
      }
    },
  };
}
