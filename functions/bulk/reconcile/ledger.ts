import { ApiError } from '../../../shared/http/errors.ts';
import type { Progress } from '../../table/reconciliations.ts';
import { mayPass, type Outcome } from './apply.ts';
import { shownStep } from './shown.ts';
import type { ReconcilePlan } from './planner.ts';
import type { Step } from './step.ts';

interface Entry {
  step: Step;
  outcome: Outcome;
  /** It is there by now, and who did it is not known: it may have another id. */
  isFound?: true;
}

/** What is there is told by its id: agents may be alike. What is to be added has another id in every plan. */
const keyOf = ({ action, kind, named, id, old }: Step) =>
  JSON.stringify([action, kind, old === undefined ? named : id]);

const notBegun = () => new ApiError('unavailable', 'Not done: the time of the request was up. Send it again.');

/** How many failures are kept to be shown. */
const MAX_FAILURES = 50;

/** What became of every step, over several plans for the same scope. */
export class Ledger {
  readonly #entries = new Map<string, Entry>();

  /** Enters the steps of a plan. What an earlier one had to do and this one has not is done: its answer was lost. */
  plan({ groups, blocked }: ReconcilePlan): void {
    const steps = groups.flat();
    const left = new Set([...steps, ...blocked].map(keyOf));
    for (const [key, { step, outcome }] of this.#entries)
      if (!left.has(key) && outcome !== 'done') this.#entries.set(key, { step, outcome: 'done', isFound: true });
    for (const step of blocked)
      if (this.#entries.has(keyOf(step)))
        this.#entries.set(keyOf(step), { step, outcome: new ApiError('failedPrecondition', step.blocked ?? '') });
    for (const step of steps) this.#entries.set(keyOf(step), { step, outcome: notBegun() });
  }

  settle(outcomes: ReadonlyMap<Step, Outcome>): void {
    for (const [step, outcome] of outcomes) this.#entries.set(keyOf(step), { step, outcome });
  }

  get entries(): Entry[] {
    return [...this.#entries.values()];
  }

  /** Steps that the same request may still do. */
  get left(): number {
    return this.entries.filter(({ outcome }) => mayPass(outcome)).length;
  }

  /** @param total of the steps, those of earlier requests included. */
  progress(total = this.#entries.size): Progress {
    const failed = this.entries.filter(({ outcome }) => outcome !== 'done' && !mayPass(outcome));
    return {
      state: this.left > 0 ? 'applying' : 'done',
      total,
      done: Math.max(0, total - this.left - failed.length),
      failed: failed.length,
      failures: failed
        .slice(0, MAX_FAILURES)
        .flatMap(({ step, outcome }) =>
          outcome === 'done' ? [] : [{ item: shownStep(step), message: outcome.message }],
        ),
    };
  }
}
