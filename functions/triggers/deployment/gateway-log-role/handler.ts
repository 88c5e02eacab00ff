import { APIGatewayClient, GetAccountCommand, UpdateAccountCommand } from '@aws-sdk/client-api-gateway';
import { customResource } from '../custom-resource.ts';
import { ensureLogRole } from './ensure-log-role.ts';

const client = new APIGatewayClient({});

export const handler = customResource(
  ensureLogRole({
    logRole: async () => (await client.send(new GetAccountCommand({}))).cloudwatchRoleArn,
    setLogRole: async (arn) => {
      const operation = { op: 'replace', path: '/cloudwatchRoleArn', value: arn } as const;
      await client.send(new UpdateAccountCommand({ patchOperations: [operation] }));
    },
  }),
);
