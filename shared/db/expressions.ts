import type { AttributePath, Condition } from './conditions.ts';

/** Names that a placeholder may contain. Others, such as those with an id, are numbered. */
const WORD = /^[a-z][a-z0-9_]*$/;

/**
 * The expressions of one call, with the names and values in them. Every name is a placeholder: DynamoDB reserves 573
 * words. A placeholder contains the name of the attribute, so that an expression in the log is readable:
 * `#revision = :revision`.
 */
export class Expressions {
  readonly #names = new Map<string, string>();
  readonly #values = new Map<string, unknown>();

  /** The placeholder of a name. */
  #name(name: string): string {
    const existing = this.#names.get(name);
    if (existing !== undefined) return existing;
    const placeholder = WORD.test(name) ? `#${name}` : `#N${this.#names.size}`;
    this.#names.set(name, placeholder);
    return placeholder;
  }

  path(path: AttributePath): string {
    return typeof path === 'string' ? this.#name(path) : path.map((name) => this.#name(name)).join('.');
  }

  /** The placeholder of a value for the attribute. */
  value(path: AttributePath, value: unknown): string {
    const name = typeof path === 'string' ? path : path[1];
    const word = `:${WORD.test(name) ? name : 'V'}`;
    // The digits of a second value follow an upper-case letter, which no name contains.
    const placeholder = this.#values.has(word) ? `${word}V${this.#values.size}` : word;
    this.#values.set(placeholder, value);
    return placeholder;
  }

  condition(condition: Condition): string {
    if ('conditions' in condition) {
      const parts = condition.conditions.map((part) =>
        'conditions' in part && part.conditions.length > 1 ? `(${this.condition(part)})` : this.condition(part),
      );
      return parts.join(` ${condition.test} `);
    }
    const path = this.path(condition.path);
    if ('value' in condition) {
      const value = this.value(condition.path, condition.value);
      return condition.test === 'begins_with' ? `begins_with(${path}, ${value})` : `${path} ${condition.test} ${value}`;
    }
    if (!('values' in condition)) return `${condition.test}(${path})`;
    const values = condition.values.map((value) => this.value(condition.path, value));
    return condition.test === 'IN' ? `${path} IN (${values.join(', ')})` : `${path} BETWEEN ${values.join(' AND ')}`;
  }

  /** The names and values of all expressions so far. DynamoDB refuses empty maps. */
  get attributes() {
    const names = Array.from(this.#names, ([name, placeholder]) => [placeholder, name] as const);
    return {
      ...(names.length === 0 ? {} : { ExpressionAttributeNames: Object.fromEntries(names) }),
      ...(this.#values.size === 0 ? {} : { ExpressionAttributeValues: Object.fromEntries(this.#values) }),
    };
  }
}
