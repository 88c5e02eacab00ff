import { setTimeout as delay } from 'node:timers/promises';
import type { CloudFormationCustomResourceEvent, CloudFormationCustomResourceResponse } from 'aws-lambda';
import { describeError, jsonLog, type Log } from '../../../shared/http/log.ts';

type Properties = Readonly<Record<string, unknown>>;

/** Something that a deployment does, by properties that stand in the template. */
export interface Step {
  /** Brings about what the properties ask for. Called again whenever they change, so that doing it twice must do no harm. */
  provide: (properties: Properties) => Promise<void>;
  /** Takes it back when the stack, or the step in it, goes. Without it, what was done stays. */
  remove?: (properties: Properties) => Promise<void>;
}

export type CustomResource = (event: CloudFormationCustomResourceEvent) => Promise<void>;

/** How a step is tried again, and where it is said why. */
interface Patience {
  attempts: number;
  pauseMs: number;
  log: Log;
}

/** Two minutes: what Terraform allows a new role or permission to become known everywhere in AWS; usually it is seconds. */
const patience: Patience = { attempts: 24, pauseMs: 5000, log: jsonLog((line) => process.stderr.write(line)) };

async function patiently(work: () => Promise<void>, { attempts, pauseMs, log }: Patience): Promise<void> {
  for (let attempt = 1; ; attempt += 1)
    try {
      await work();
      return;
    } catch (error) {
      log({ level: 'error', message: 'a step of the deployment failed', attempt, cause: describeError(error) });
      if (attempt === attempts) throw error;
      await delay(pauseMs);
    }
}

/**
 * The URL is presigned for a request without a content type. Its reply is the last that CloudFormation needs to hear:
 * when it gets lost, the deployment waits until the resource's time is up.
 */
async function answer(url: string, response: CloudFormationCustomResourceResponse): Promise<void> {
  const { ok, status } = await fetch(url, {
    method: 'PUT',
    headers: { 'content-type': '' },
    body: Buffer.from(JSON.stringify(response)),
  });
  if (!ok) throw new Error(`CloudFormation refused the response: ${status}`);
}

/**
 * A step as CloudFormation calls it. A failure fails the deployment, and its message stands in the events of the stack.
 * Protocol: https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/crpg-ref.html
 */
export function customResource({ provide, remove }: Step, wait: Patience = patience): CustomResource {
  return async (event) => {
    const { RequestType, RequestId, StackId, LogicalResourceId, ResponseURL, ResourceProperties } = event;
    // The same id for ever: CloudFormation takes a new one for a new resource, and removes the old.
    const same = { RequestId, StackId, LogicalResourceId, PhysicalResourceId: LogicalResourceId };
    const work = RequestType === 'Delete' ? remove : provide;
    const outcome = await patiently(async () => work?.(ResourceProperties), wait).then(
      () => ({ Status: 'SUCCESS' as const }),
      (error: unknown) => ({ Status: 'FAILED' as const, Reason: String(error) }),
    );
    await answer(ResponseURL, { ...same, ...outcome });
  };
}
