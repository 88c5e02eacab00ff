import { ApiError } from '../../../shared/core/errors.ts';
import type { Progress } from '../../store/jobs/reconciliations.ts';
import { notBegun } from '../partial-failure.ts';
import { isRefused, isUncertain, mayPass, type Outcome } from './execute.ts';
import { toItemReply } from './reply-items.ts';
import type { ReconcilePlan } from './plan/planner.ts';
import type { Step } from './plan/step.ts';

interface StepResult {
  step: Step;
  outcome: Outcome | SkipResult;
  /** The desired state exists, but by which request is unknown; an added object may have another id. */
  isFound?: true;
}

/** A change or a removal that is no longer necessary, with the reason. */
export interface SkipResult {
  skipped: string;
}

export const isSkipped = (outcome: Outcome | SkipResult): outcome is SkipResult =>
  outcome !== 'done' && 'skipped' in outcome;

const mayStillBeDone = (outcome: Outcome | SkipResult) => !isSkipped(outcome) && mayPass(outcome);

/**
 * Identifies a step across plans. Existing objects by id, because agents may be equal; an added object has another id
 * in each plan.
 */
const keyOf = ({ action, kind, named, id, old }: Step) =>
  JSON.stringify([action, kind, old === undefined ? named : id]);

/** Number of failures that are stored for replies. */
const MAX_FAILURES = 50;

/** The outcomes of all steps, over several plans for the same scope. */
export class Outcomes {
  readonly #entries = new Map<string, StepResult>();
  #existing: ReadonlySet<string> = new Set();
  /** Steps of which a reply was lost, by key. */
  readonly #uncertain = new Set<string>();
  /** Steps that were refused, by key. */
  readonly #refused = new Set<string>();
  #isDoubtful = false;

  /** Changes and removals that are not done, and that the next plan may not contain any more. */
  get unfinished(): Step[] {
    return this.entries.flatMap(({ step, outcome }) => (step.action !== 'add' && outcome !== 'done' ? [step] : []));
  }

  /** @param ids of the objects of unfinished steps that exist, as read after the next plan was made. */
  noteExisting(ids: ReadonlySet<string>): void {
    this.#existing = ids;
  }

  /** The outcome of a step of an earlier plan that the present plan does not contain. */
  #outcomeElsewhere({ step }: StepResult): StepResult {
    const exists = this.#existing.has(step.id);
    if (step.action === 'add' || (step.action === 'change' && exists)) return { step, outcome: 'done', isFound: true };
    if (step.action === 'change')
      return { step, outcome: { skipped: 'Another request removed the object; it was not changed.' } };
    if (exists) return { step, outcome: { skipped: 'The object left the scope and was not removed.' } };
    // Only a removal whose reply was lost may have been done by this request.
    return this.#uncertain.has(keyOf(step))
      ? { step, outcome: 'done', isFound: true }
      : { step, outcome: { skipped: 'Another request removed the object.' } };
  }

  /**
   * Adds the steps of a plan. A step of an earlier plan that this one does not contain was done by another request, or
   * its reply was lost.
   */
  plan({ groups, blocked }: ReconcilePlan): void {
    const steps = groups.flat();
    const left = new Set([...steps, ...blocked].map(keyOf));
    for (const [key, entry] of this.#entries)
      if (!left.has(key) && entry.outcome !== 'done' && !isSkipped(entry.outcome))
        this.#entries.set(key, this.#outcomeElsewhere(entry));
    for (const step of blocked)
      if (this.#entries.has(keyOf(step)))
        this.#entries.set(keyOf(step), { step, outcome: new ApiError('failedPrecondition', step.blocked ?? '') });
    for (const step of steps) this.#entries.set(keyOf(step), { step, outcome: notBegun() });
  }

  /** @param outcomes of the steps of a plan. */
  record(outcomes: ReadonlyMap<Step, Outcome>): void {
    this.#isDoubtful = false;
    for (const [step, outcome] of outcomes) {
      const key = keyOf(step);
      this.#entries.set(key, { step, outcome });
      if (isUncertain(outcome)) this.#uncertain.add(key);
      if (!isRefused(outcome)) continue;
      this.#isDoubtful ||= !this.#refused.has(key);
      this.#refused.add(key);
    }
  }

  /** Whether the last plan had a step that was refused for the first time: its refusal is final if the next plan has it again. */
  get isDoubtful(): boolean {
    return this.#isDoubtful;
  }

  get entries(): StepResult[] {
    return [...this.#entries.values()];
  }

  /** Number of steps that the same request may still perform. */
  get left(): number {
    return this.entries.filter(({ outcome }) => mayStillBeDone(outcome)).length;
  }

  /** @param total number of steps, including those of earlier requests. */
  progress(total = this.#entries.size): Progress {
    const failed = this.entries.flatMap(({ step, outcome }) =>
      outcome === 'done' || isSkipped(outcome) || mayPass(outcome) ? [] : [{ step, message: outcome.message }],
    );
    const skipped = this.entries.filter(({ outcome }) => isSkipped(outcome)).length;
    return {
      state: this.left > 0 ? 'applying' : 'done',
      total,
      done: Math.max(0, total - this.left - failed.length - skipped),
      failed: failed.length,
      skipped,
      failures: failed.slice(0, MAX_FAILURES).map(({ step, message }) => ({ item: toItemReply(step), message })),
    };
  }
}
