import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { TemplateParameters } from './template-parameters.ts';
import { MonitoringInventory, type MonitoringInventoryProps } from './monitoring-inventory.ts';

export interface InventoryStackProps extends StackProps {
  readonly inventory?: MonitoringInventoryProps;
  /**
   * Whether the template has parameters in place of some settings, so that it serves several accounts.
   *
   * @default false
   */
  readonly hasParameters?: boolean;
}

/** The inventory as a separate stack, with outputs for its users. */
export class InventoryStack extends Stack {
  readonly inventory: MonitoringInventory;

  constructor(scope: Construct, id: string, { inventory, hasParameters = false, ...props }: InventoryStackProps = {}) {
    super(scope, id, {
      description: 'Monitoring inventory: nodes, services and agents',
      // CloudFormation accepts a template of 1 MB at most, a third of which would be blanks.
      suppressTemplateIndentation: true,
      ...props,
    });
    const parameters = hasParameters ? new TemplateParameters(this, inventory) : undefined;
    this.inventory = new MonitoringInventory(this, 'Inventory', parameters?.settings ?? inventory);
    const { machineUrl, reportUrl, adminSecret, table, agentGateway } = this.inventory;
    const baseUrl = parameters?.addTo(this.inventory) ?? this.inventory.baseUrl;
    const [swaggerUrl, consoleUrl] = [`${baseUrl}/swagger/`, `${baseUrl}/`];
    const passwordCommand = [
      ...['aws secretsmanager get-secret-value --query SecretString --output text --region', this.region],
      ...['--secret-id', adminSecret.secretArn],
    ].join(' ');
    const outputs = {
      BaseUrl: ['Base URL of the API, for example for /v1/nodes', baseUrl],
      MachineUrl: ['Base URL for machines: without CloudFront, which costs by the request', machineUrl],
      ...(reportUrl === undefined ? {} : { ReportUrl: ['Base URL for reports of hosts', reportUrl] }),
      SwaggerUrl: ['The API browser', swaggerUrl],
      ConsoleUrl: ['The console', consoleUrl],
      AdminSecretArn: ['The secret that holds the password of the user admin', adminSecret.secretArn],
      TableName: ['The table with all data', table.tableName],
      ...(agentGateway === undefined
        ? {}
        : {
            AgentGatewayAddress: ['Host and port that agents connect to', agentGateway.address],
            AgentGatewayTarget: [
              'The balancer of agents: the record of their host name refers to it',
              agentGateway.target,
            ],
            AgentGatewayKeySecretArn: ['The secret for a key with the role Gateway', agentGateway.keySecret.secretArn],
          }),
      // The command line sorts outputs by name: these are the last lines of a deployment.
      WhatNext1OpenTheConsole: ['The console: log in as admin', consoleUrl],
      WhatNext2ReadThePassword: ['Prints the password of admin', passwordCommand],
    } as const;
    for (const [name, [description, value]] of Object.entries(outputs))
      new CfnOutput(this, name, { description, value });
  }
}
