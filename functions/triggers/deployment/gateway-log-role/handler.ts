import { APIGatewayClient, GetAccountCommand, UpdateAccountCommand } from '@aws-sdk/client-api-gateway';
import { IAMClient } from '@aws-sdk/client-iam';
import { customResource } from '../custom-resource.ts';
import { ensureLogRole } from './ensure-log-role.ts';
import { iamLimits, roleExists } from './role-exists.ts';

const client = new APIGatewayClient({});

const iam = new IAMClient(iamLimits);

export const handler = customResource(
  ensureLogRole({
    logRole: async () => (await client.send(new GetAccountCommand({}))).cloudwatchRoleArn,
    setLogRole: async (arn) => {
      const operation = { op: 'replace', path: '/cloudwatchRoleArn', value: arn } as const;
      await client.send(new UpdateAccountCommand({ patchOperations: [operation] }));
    },
    roleExists: (arn) => roleExists(iam, arn),
  }),
);
