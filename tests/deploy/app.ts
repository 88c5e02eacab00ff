/** The app of `npx cdk deploy` for the emulator: the same stack, whose gateway is made of resources instead of a definition. */
import { Validations } from 'aws-cdk-lib';
import { CfnRestApi, SpecRestApi } from 'aws-cdk-lib/aws-apigateway';
import { app } from '../../infra/app.ts';
import { expandDefinition } from './expand-definition.ts';

for (const api of app.node.findAll().filter((construct) => construct instanceof SpecRestApi)) {
  const { defaultChild } = api.node;
  if (!(defaultChild instanceof CfnRestApi)) throw new Error(`${api.node.path} has no definition.`);
  expandDefinition(api, defaultChild);
  Validations.of(api).acknowledge({
    id: 'AwsSolutions-APIG4',
    reason: 'infra/api.test.ts asserts which operations of the definition need no credentials.',
  });
}
