import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { InventoryStack } from '../../infra/inventory-stack.ts';
import { agentGatewayOptions } from '../../infra/settings/agent-gateway-options.ts';
import { resourceAt, synthesiseStack } from '../../infra/synthesis/synthesise.ts';

const definitionSchema = z.object({
  ContainerDefinitions: z.tuple([
    z.looseObject({
      Command: z.array(z.string()),
      Environment: z.array(z.object({ Name: z.string(), Value: z.unknown() })),
    }),
  ]),
});

/** The container of the agent gateway as the template defines it. */
export interface ContainerDefinition {
  command: readonly string[];
  /** Variables with their values, or with the functions of CloudFormation that return them. */
  environment: Readonly<Record<string, unknown>>;
}

/** @param bundles folder with the bundled programs of the container. */
export function containerDefinition(bundles: string): ContainerDefinition {
  const template = synthesiseStack((app, assets) => {
    cpSync(join(bundles, 'agentGateway'), join(assets.functions, 'agentGateway'), { recursive: true });
    return new InventoryStack(app, 'MonitoringInventory', { inventory: { ...agentGatewayOptions, assets } });
  });
  const { properties } = resourceAt(template, 'Agents/Task/Resource');
  const [{ Command: command, Environment }] = z.parse(definitionSchema, properties).ContainerDefinitions;
  return { command, environment: Object.fromEntries(Environment.map(({ Name, Value }) => [Name, Value])) };
}

/** The credentials of a task, where ECS serves them. */
export async function startCredentials(path: string): Promise<{ url: string; close: () => void }> {
  const server = createServer((request, response) => {
    const credentials = { AccessKeyId: 'test', SecretAccessKey: 'test', Token: 'token' };
    response.writeHead(request.url === path ? 200 : 404).end(JSON.stringify(credentials));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => void server.close() };
}

/** A container as a process. */
export interface Task {
  port: number;
  healthPort: number;
  output: () => string;
  /** Ends it with a signal; resolves to the exit code or signal. */
  stop: (signal: NodeJS.Signals) => Promise<number | string>;
}

/** Runs a command of a container. @throws Error with its output when it ends instead of serving agents. */
export async function runTask(command: readonly string[], environment: Record<string, string>): Promise<Task> {
  const [program, ...args] = command;
  if (program !== 'node') throw new Error(`The command is ${program}.`);
  const child = spawn(process.execPath, args, { env: environment, cwd: '/', stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  const serving = /"message":"serving agents","port":(\d+),"health_port":(\d+)/;
  const ended = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | string);
  const ready = new Promise<undefined>((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        if (serving.test(output)) resolve(undefined);
      });
  });
  if ((await Promise.race([ready, ended])) !== undefined) throw new Error(output.trim());
  const [, port, healthPort] = serving.exec(output) ?? [];
  return {
    port: Number(port),
    healthPort: Number(healthPort),
    output: () => output,
    stop: (signal) => {
      child.kill(signal);
      return ended;
    },
  };
}
