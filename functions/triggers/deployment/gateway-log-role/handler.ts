import { APIGatewayClient, GetAccountCommand, UpdateAccountCommand } from '@aws-sdk/client-api-gateway';
import { GetRoleCommand, IAMClient, NoSuchEntityException } from '@aws-sdk/client-iam';
import { customResource } from '../custom-resource.ts';
import { ensureLogRole } from './ensure-log-role.ts';

const client = new APIGatewayClient({});
const iam = new IAMClient({});

export const handler = customResource(
  ensureLogRole({
    logRole: async () => (await client.send(new GetAccountCommand({}))).cloudwatchRoleArn,
    setLogRole: async (arn) => {
      const operation = { op: 'replace', path: '/cloudwatchRoleArn', value: arn } as const;
      await client.send(new UpdateAccountCommand({ patchOperations: [operation] }));
    },
    roleExists: async (arn) => {
      try {
        // The name of a role is the last part of its ARN, after its path.
        await iam.send(new GetRoleCommand({ RoleName: arn.split('/').at(-1) }));
        return true;
      } catch (error) {
        if (error instanceof NoSuchEntityException) return false;
        throw error;
      }
    },
  }),
);
