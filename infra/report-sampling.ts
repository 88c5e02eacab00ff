import { CfnSamplingRule } from 'aws-cdk-lib/aws-xray';
import { Construct } from 'constructs';
import { frequentIn, type InventoryApi } from './api.ts';
import type { InventoryFunctions } from './inventory-functions.ts';
import { shortName } from './names.ts';

export const TRACED_SHARE = 0.001;

/** Before the default rule of an account, which has 10,000. */
const FIRST_PRIORITY = 1000;

/**
 * A fleet sends the same few requests all the time, and X-Ray costs 5 USD for a million traces: a small share of them
 * is traced. API Gateway decides, and the functions follow it.
 *
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-configuring-xray-sampling-rules.html
 */
export class ReportSampling extends Construct {
  constructor(scope: Construct, id: string, { api, functions }: { api: InventoryApi; functions: InventoryFunctions }) {
    super(scope, id);
    for (const [index, endpoint] of frequentIn(functions).entries()) {
      const rule = new CfnSamplingRule(this, endpoint.id);
      rule.samplingRule = {
        ruleName: shortName(endpoint.id),
        priority: FIRST_PRIORITY + index,
        reservoirSize: 0,
        fixedRate: TRACED_SHARE,
        serviceName: `${api.restApiName}/${api.deploymentStage.stageName}`,
        serviceType: 'AWS::ApiGateway::Stage',
        host: '*',
        httpMethod: endpoint.method,
        // The path may begin with the stage.
        urlPath: `*${endpoint.path.replaceAll(/\{[^}]*\}/g, '*')}`,
        resourceArn: '*',
        version: 1,
      };
    }
  }
}
