import { type App, Validations } from 'aws-cdk-lib';
import { CfnRestApi, SpecRestApi } from 'aws-cdk-lib/aws-apigateway';
import { expandDefinition } from './expand-definition.ts';

/** Changes what MiniStack 1.5.33 cannot deploy: gateways are made of resources. */
export function fitEmulator(app: App): void {
  for (const construct of app.node.findAll()) {
    if (!(construct instanceof SpecRestApi)) continue;
    const { defaultChild } = construct.node;
    if (!(defaultChild instanceof CfnRestApi)) throw new Error(`${construct.node.path} has no definition.`);
    expandDefinition(construct, defaultChild);
    Validations.of(construct).acknowledge({
      id: 'AwsSolutions-APIG4',
      reason: 'infra/gateway/api.test.ts asserts which operations of the definition need no credentials.',
    });
  }
}
