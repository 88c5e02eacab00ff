import * as z from 'zod/mini';
import type { Step } from '../custom-resource.ts';

const propertiesSchema = z.object({ RoleArn: z.string() });

/** What this needs of API Gateway: the role with which all of its APIs in an account and region write logs. */
export interface GatewayAccount {
  logRole: () => Promise<string | undefined>;
  setLogRole: (arn: string) => Promise<void>;
}

/**
 * Gives API Gateway a role for its logs unless it has one. The setting is one per account and region, and belongs to every
 * API there: an AWS::ApiGateway::Account in the template would take it over, and take it away when the stack goes.
 */
export function ensureLogRole({ logRole, setLogRole }: GatewayAccount): Step {
  return {
    provide: async (properties) => {
      const { RoleArn } = z.parse(propertiesSchema, properties);
      // API Gateway says '' as well as nothing when there is none.
      if (((await logRole()) ?? '') === '') await setLogRole(RoleArn);
    },
  };
}
