import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Settings } from '../settings/settings-table.ts';

/**
 * Permits reading the client secrets of the identity providers, which other stacks own. A secret with a key of its own also
 * needs a permission in the policy of that key.
 */
export function clientSecretStatements({
  identityProviders = [],
}: Pick<Settings, 'identityProviders'>): PolicyStatement[] {
  const resources = identityProviders
    .map((provider) => (provider.kind === 'oidc' ? provider.clientSecretArn : undefined))
    .filter((arn) => arn !== undefined);
  return resources.length === 0 ? [] : [new PolicyStatement({ actions: ['secretsmanager:GetSecretValue'], resources })];
}
