import * as z from 'zod/mini';
import type { Step } from '../custom-resource.ts';

const propertiesSchema = z.object({ RoleArn: z.string() });

/** The setting of API Gateway for the role that writes the logs of all its APIs in an account and region. */
export interface GatewayAccount {
  logRole: () => Promise<string | undefined>;
  setLogRole: (arn: string) => Promise<void>;
}

/**
 * Sets the role for API Gateway's logs unless one is set. The setting is one for each account and region, and applies
 * to every API there. An AWS::ApiGateway::Account in the template would overwrite it, and remove it with the stack.
 */
export function ensureLogRole({ logRole, setLogRole }: GatewayAccount): Step {
  return {
    provide: async (properties) => {
      const { RoleArn } = z.parse(propertiesSchema, properties);
      // API Gateway returns '' or undefined when no role is set.
      if (((await logRole()) ?? '') === '') await setLogRole(RoleArn);
    },
  };
}
