/** The content of the form: texts, also invalid ones. */
export type ReconcileForm = Readonly<{
  namePrefix: string;
  selector: string;
  /** In percent. */
  maxRemovals: string;
  /** JSON. */
  desired: string;
}>;

type Fields = Readonly<Record<string, unknown>>;

const isGroup = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Text that is not JSON. The message of the browser contains the position. */
export class NotJson extends Error {
  constructor(cause: unknown) {
    super(`Not valid JSON: ${cause instanceof Error ? cause.message : String(cause)}`);
    this.name = 'NotJson';
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new NotJson(error);
  }
}

/** A percentage: `20` or `20 %`. Other text stays text, which the contract refuses. */
function percentOf(text: string): unknown {
  const trimmed = text.trim().replace(/\s*%$/, '');
  if (trimmed === '') return undefined;
  return /^[0-9]{1,9}(\.[0-9]{1,9})?$/.test(trimmed) ? Number(trimmed) : trimmed;
}

/**
 * The request of a form. The contract has not checked it.
 *
 * @throws NotJson
 */
export function requestOf({ namePrefix, selector, maxRemovals, desired }: ReconcileForm): object {
  const percent = percentOf(maxRemovals);
  return {
    scope: {
      ...(namePrefix === '' ? {} : { name_prefix: namePrefix }),
      ...(selector.trim() === '' ? {} : { selector: selector.trim() }),
    },
    ...(desired.trim() === '' ? {} : { desired: parsed(desired) }),
    ...(percent === undefined ? {} : { max_removals_percent: percent }),
  };
}

/** The request of a form that may be incomplete: without the desired objects while they are not JSON. */
export function incompleteRequestOf(form: ReconcileForm): object {
  try {
    return requestOf(form);
  } catch (error) {
    if (error instanceof NotJson) return requestOf({ ...form, desired: '' });
    throw error;
  }
}

const textOr = (value: unknown, other: string) => (typeof value === 'string' ? value : other);

/** The form with the content of a file: the desired objects, or a whole request. */
export function withFile(form: ReconcileForm, text: string): ReconcileForm {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    // The form shows the error of the text.
    return { ...form, desired: text };
  }
  if (!isGroup(content) || content['desired'] === undefined) return { ...form, desired: text };
  const scope = isGroup(content['scope']) ? content['scope'] : {};
  const percent = content['max_removals_percent'];
  return {
    namePrefix: textOr(scope['name_prefix'], ''),
    selector: textOr(scope['selector'], ''),
    maxRemovals: typeof percent === 'number' ? String(percent) : form.maxRemovals,
    desired: JSON.stringify(content['desired'], null, 2),
  };
}
