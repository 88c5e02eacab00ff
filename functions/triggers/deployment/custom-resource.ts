import type { CloudFormationCustomResourceEvent } from 'aws-lambda';
import { answerCloudFormation } from '../../../shared/aws/cloudformation.ts';
import { describeError, jsonLog, type Log } from '../../../shared/core/log.ts';
import { type ClockSource, pause } from '../../../shared/core/monotonic-clock.ts';

type Properties = Readonly<Record<string, unknown>>;

/** A step of a deployment, with properties from the template. */
export interface Step {
  /**
   * Establishes the state that the properties describe. Called again whenever they change, so it must be idempotent.
   */
  provide: (properties: Properties) => Promise<void>;
  /** Reverts the step when the stack, or the step in it, is removed. Undefined: the state remains. */
  remove?: (properties: Properties) => Promise<void>;
  /** Whether a repetition would fail as well. Undefined: every error may pass. */
  isFinal?: (error: unknown) => boolean;
}

export type CustomResource = (event: CloudFormationCustomResourceEvent) => Promise<void>;

/** How a step is retried, and where its errors are logged. */
interface RetryOptions extends ClockSource {
  attempts: number;
  pauseMs: number;
  log: Log;
}

/**
 * Two minutes: the time that Terraform allows for a new role or permission to propagate in AWS; usually it takes
 * seconds.
 */
const retryOptions: RetryOptions = { attempts: 24, pauseMs: 5000, log: jsonLog((line) => process.stderr.write(line)) };

async function retry(
  work: () => Promise<void>,
  { isFinal }: { isFinal: Step['isFinal'] | undefined },
  { attempts, pauseMs, log, ...timed }: RetryOptions,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1)
    try {
      await work();
      return;
    } catch (error) {
      log({ level: 'error', message: 'a step of the deployment failed', attempt, cause: describeError(error) });
      if (attempt === attempts || isFinal?.(error) === true) throw error;
      await pause(timed, pauseMs);
    }
}

/**
 * A step as the handler of a CloudFormation custom resource. A failure fails the deployment, with its message in the
 * events of the stack. Protocol: https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/crpg-ref.html
 */
export function customResource({ provide, remove, isFinal }: Step, wait: RetryOptions = retryOptions): CustomResource {
  return async (event) => {
    const { RequestType, RequestId, StackId, LogicalResourceId, ResponseURL, ResourceProperties } = event;
    // Always the same id: CloudFormation treats another one as a new resource, and removes the old one.
    const same = { RequestId, StackId, LogicalResourceId, PhysicalResourceId: LogicalResourceId };
    const work = RequestType === 'Delete' ? remove : provide;
    const outcome = await retry(async () => work?.(ResourceProperties), { isFinal }, wait).then(
      () => ({ Status: 'SUCCESS' as const }),
      (error: unknown) => ({ Status: 'FAILED' as const, Reason: String(error) }),
    );
    await answerCloudFormation(ResponseURL, { ...same, ...outcome });
  };
}
