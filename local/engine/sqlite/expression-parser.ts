import type { Item } from '../../../shared/db/item.ts';
import { invalid, invalidExpression } from './engine-errors.ts';
import { type Path, type Placeholders, type OperandReader, valueAt, valueOf } from './paths.ts';
import { compare, equal, isList, isMap, typeOf } from './values.ts';

export type Test = (item: Item | undefined, of: Placeholders) => boolean;

const comparisons = {
  '<': (order: number) => order < 0,
  '<=': (order: number) => order <= 0,
  '>': (order: number) => order > 0,
  '>=': (order: number) => order >= 0,
};

type Comparison = keyof typeof comparisons;

const isComparison = (text: string): text is Comparison => Object.hasOwn(comparisons, text);

/** A comparison of an attribute with values, as a condition of keys has it. */
export interface KeyComparison {
  /** A name or its placeholder. */
  name: string;
  operator: '=' | Comparison | 'BETWEEN' | 'begins_with';
  /** Placeholders. */
  values: readonly string[];
}

interface Condition {
  test: Test;
  /** Undefined if the condition is not a conjunction of these. */
  ofKeys: readonly KeyComparison[] | undefined;
}

export type UpdateClause =
  | { verb: 'SET'; path: Path; value: OperandReader }
  | { verb: 'ADD'; path: Path; value: OperandReader }
  | { verb: 'REMOVE'; path: Path };

interface Operand {
  read: OperandReader;
  /** Of an operand that is a path. */
  path?: Path;
  /** Of an operand that is a value of the call. */
  placeholder?: string;
}

const TOKEN = /\s*(?:([#:]?[A-Za-z_][A-Za-z0-9_-]*|[#:][A-Za-z0-9_-]+)|(\d+)|(<>|<=|>=|[=<>(),.[\]+-]))/y;

function tokensOf(text: string): string[] {
  const tokens: string[] = [];
  const end = text.trimEnd().length;
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < end) {
    const from = TOKEN.lastIndex;
    const match = TOKEN.exec(text);
    if (match === null) throw invalidExpression(`Syntax error; token: "${text.slice(from, from + 10)}"`);
    tokens.push(match[0].trim());
  }
  return tokens;
}

function sizeOf(value: unknown): number | undefined {
  if (typeof value === 'string' || value instanceof Uint8Array || isList(value)) return value.length;
  return isMap(value) ? Object.keys(value).length : undefined;
}

function contains(value: unknown, part: unknown): boolean {
  if (typeof value === 'string') return typeof part === 'string' && value.includes(part);
  return isList(value) && value.some((item) => equal(item, part));
}

function sum(left: unknown, sign: 1 | -1, right: unknown): number {
  if (typeof left !== 'number' || typeof right !== 'number')
    throw invalid('An operand in the update expression has an incorrect data type');
  return left + sign * right;
}

/**
 * Parses one expression to functions, by the grammar in
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.OperatorsAndFunctions.html
 * Keywords and functions are in upper or lower case, as DynamoDB Local accepts them.
 */
export class ExpressionParser {
  readonly #tokens: readonly string[];
  #at = 0;
  /** All that the expression contains. */
  readonly placeholders = new Set<string>();
  /** The first parts of all paths. */
  readonly attributes = new Set<string>();
  /** Values that are compared by their order. */
  readonly ordered = new Set<string>();

  constructor(text: string) {
    this.#tokens = tokensOf(text);
  }

  get #next(): string | undefined {
    return this.#tokens[this.#at];
  }

  #syntaxError(token = '<EOF>') {
    return invalidExpression(`Syntax error; token: "${token}"`);
  }

  #take(): string {
    const token = this.#next;
    if (token === undefined) throw this.#syntaxError();
    this.#at += 1;
    if (/^[#:]/.test(token)) this.placeholders.add(token);
    return token;
  }

  #skip(word: string): boolean {
    if (this.#next?.toUpperCase() !== word) return false;
    this.#at += 1;
    return true;
  }

  #expect(word: string): void {
    if (!this.#skip(word)) throw this.#syntaxError(this.#next);
  }

  /** @throws DynamoDbError unless the text ends here. */
  end(): void {
    if (this.#next !== undefined) throw this.#syntaxError(this.#next);
  }

  #list<T>(parse: () => T): T[] {
    const all = [parse()];
    while (this.#skip(',')) all.push(parse());
    return all;
  }

  #inParentheses<T>(content: () => T): T {
    this.#expect('(');
    const parsed = content();
    this.#expect(')');
    return parsed;
  }

  /** The name of a function that is called here. */
  #call(): string | undefined {
    return this.#tokens[this.#at + 1] === '(' ? this.#take().toLowerCase() : undefined;
  }

  #name(): string {
    const token = this.#take();
    if (!/^[#A-Za-z_]/.test(token)) throw this.#syntaxError(token);
    return token;
  }

  #path(): Path {
    const path: [string, ...(string | number)[]] = [this.#name()];
    this.attributes.add(path[0]);
    for (;;)
      if (this.#skip('.')) path.push(this.#name());
      else if (this.#skip('[')) {
        const index = this.#take();
        if (!/^\d+$/.test(index)) throw this.#syntaxError(index);
        path.push(Number(index));
        this.#expect(']');
      } else return path;
  }

  #operand(): Operand {
    if (this.#next?.startsWith(':') === true) {
      const placeholder = this.#take();
      return { read: (_, of) => valueOf(placeholder, of), placeholder };
    }
    const name = this.#call();
    if (name === undefined) {
      const path = this.#path();
      return { read: (item, of) => valueAt(item, path, of), path };
    }
    if (name !== 'size') throw invalidExpression(`Invalid function name; function: ${name}`);
    const path = this.#inParentheses(() => this.#path());
    return { read: (item, of) => sizeOf(valueAt(item, path, of)) };
  }

  condition(): Condition {
    let left = this.#conjunction();
    while (this.#skip('OR')) {
      const [{ test: leftTest }, { test: other }] = [left, this.#conjunction()];
      left = { test: (item, of) => leftTest(item, of) || other(item, of), ofKeys: undefined };
    }
    return left;
  }

  #conjunction(): Condition {
    let left = this.#negation();
    while (this.#skip('AND')) {
      const [leftTerm, other] = [left, this.#negation()];
      left = {
        test: (item, of) => leftTerm.test(item, of) && other.test(item, of),
        ofKeys: leftTerm.ofKeys && other.ofKeys && [...leftTerm.ofKeys, ...other.ofKeys],
      };
    }
    return left;
  }

  #negation(): Condition {
    if (!this.#skip('NOT')) return this.#next === '(' ? this.#inParentheses(() => this.condition()) : this.#primary();
    const { test } = this.#negation();
    return { test: (item, of) => !test(item, of), ofKeys: undefined };
  }

  #primary(): Condition {
    const isSize = this.#next?.toLowerCase() === 'size';
    const name = isSize ? undefined : this.#call();
    return name === undefined ? this.#comparison() : this.#inParentheses(() => this.#function(name));
  }

  #function(name: string): Condition {
    const path = this.#path();
    const value: OperandReader = (item, of) => valueAt(item, path, of);
    if (name === 'attribute_exists') return { test: (item, of) => value(item, of) !== undefined, ofKeys: undefined };
    if (name === 'attribute_not_exists')
      return { test: (item, of) => value(item, of) === undefined, ofKeys: undefined };
    this.#expect(',');
    const { read, placeholder } = this.#operand();
    if (name === 'attribute_type')
      return { test: (item, of) => typeOf(value(item, of)) === read(item, of), ofKeys: undefined };
    if (name === 'contains')
      return { test: (item, of) => contains(value(item, of), read(item, of)), ofKeys: undefined };
    if (name !== 'begins_with') throw invalidExpression(`Invalid function name; function: ${name}`);
    const test: Test = (item, of) => {
      const [text, prefix] = [value(item, of), read(item, of)];
      return typeof text === 'string' && typeof prefix === 'string' && text.startsWith(prefix);
    };
    return { test, ofKeys: this.#ofKeys({ read, path }, 'begins_with', { placeholder }) };
  }

  #ofKeys(
    { path }: Operand,
    operator: KeyComparison['operator'],
    ...operands: readonly { placeholder?: string | undefined }[]
  ): readonly KeyComparison[] | undefined {
    const values = operands.flatMap(({ placeholder }) => placeholder ?? []);
    return path?.length === 1 && values.length === operands.length ? [{ name: path[0], operator, values }] : undefined;
  }

  #needsOrder({ placeholder }: Operand): void {
    if (placeholder !== undefined) this.ordered.add(placeholder);
  }

  #comparison(): Condition {
    const left = this.#operand();
    if (this.#skip('BETWEEN')) return this.#between(left);
    if (this.#skip('IN')) {
      const all = this.#inParentheses(() => this.#list(() => this.#operand()));
      const test: Test = (item, of) => all.some(({ read }) => equal(left.read(item, of), read(item, of)));
      return { test, ofKeys: undefined };
    }
    const operator = this.#take();
    const right = this.#operand();
    if (left.path !== undefined && left.path.join('.') === right.path?.join('.'))
      throw invalidExpression(
        `The first operand must be distinct from the remaining operands for this operator or function; operator: ${operator}`,
      );
    const isSame: Test = (item, of) => equal(left.read(item, of), right.read(item, of));
    if (operator === '=') return { test: isSame, ofKeys: this.#ofKeys(left, '=', right) };
    if (operator === '<>') return { test: (item, of) => !isSame(item, of), ofKeys: undefined };
    if (!isComparison(operator)) throw this.#syntaxError(operator);
    this.#needsOrder(right);
    this.#needsOrder(left);
    const isMet = comparisons[operator];
    const test: Test = (item, of) => {
      const order = compare(left.read(item, of), right.read(item, of));
      return order !== undefined && isMet(order);
    };
    return { test, ofKeys: this.#ofKeys(left, operator, right) };
  }

  #between(left: Operand): Condition {
    const from = this.#operand();
    this.#expect('AND');
    const to = this.#operand();
    for (const operand of [left, from, to]) this.#needsOrder(operand);
    const test: Test = (item, of) => {
      const value = left.read(item, of);
      const [above, below] = [compare(value, from.read(item, of)), compare(value, to.read(item, of))];
      return above !== undefined && above >= 0 && below !== undefined && below <= 0;
    };
    return { test, ofKeys: this.#ofKeys(left, 'BETWEEN', from, to) };
  }

  update(): UpdateClause[] {
    const clauses: UpdateClause[] = [];
    while (this.#next !== undefined) {
      const verb = this.#take().toUpperCase();
      if (verb === 'SET')
        this.#list(() => {
          const path = this.#path();
          this.#expect('=');
          return clauses.push({ verb, path, value: this.#sum() });
        });
      else if (verb === 'REMOVE') this.#list(() => clauses.push({ verb, path: this.#path() }));
      else if (verb === 'ADD')
        this.#list(() => clauses.push({ verb, path: this.#path(), value: this.#operand().read }));
      else throw this.#syntaxError(verb);
    }
    return clauses;
  }

  #sum(): OperandReader {
    const left = this.#term();
    const sign = this.#skip('+') ? 1 : this.#skip('-') ? -1 : undefined;
    if (sign === undefined) return left;
    const right = this.#term();
    return (item, of) => sum(left(item, of), sign, right(item, of));
  }

  #term(): OperandReader {
    if (this.#next?.toLowerCase() === 'if_not_exists') {
      this.#take();
      return this.#inParentheses(() => {
        const path = this.#path();
        this.#expect(',');
        const other = this.#sum();
        return (item, of) => {
          const value = valueAt(item, path, of);
          return value === undefined ? other(item, of) : value;
        };
      });
    }
    const { read, path } = this.#operand();
    if (path === undefined) return read;
    return (item, of) => {
      const value = read(item, of);
      if (value === undefined)
        throw invalid('The provided expression refers to an attribute that does not exist in the item');
      return value;
    };
  }

  projection(): Path[] {
    return this.#list(() => this.#path());
  }
}
