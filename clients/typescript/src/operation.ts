import type { InventoryError } from './error.ts';
import type { AnyOptions, CallOptions, Revalidation } from './options.ts';

/** The contract of an operation, as far as a client needs it. */
export interface Spec<Reply> {
  id: string;
  method: string;
  path: string;
  /** Called after a failed request; throws ServerLacks if the server is too old. Absent: every server has the operation. */
  since?: (error: InventoryError, send: Client['send']) => Promise<void>;
  /** Takes an Idempotency-Key: always, or only if this field of the body is true. */
  key?: true | string;
  /** A repetition has no second effect, although the method does not say so. */
  repeatable?: true;
  /** The field with the objects of a page. */
  items?: string;
  /** Has no body, although the method does not say so. */
  bare?: true;
  /** Writes the body of lines, and takes its fields from the input; absent: the body is the input as JSON. */
  lines?: (fields: Map<string, unknown>) => string;
  /** Reads the body of a reply; absent: it is JSON. @throws SyntaxError if a part is missing. */
  read?: (body: string) => unknown;
  /** The reply is text. */
  text?: true;
  /** Never set: carries the type of the reply. */
  reply?: Reply;
}

/** Sends requests. Made by `createClient`. */
export interface Client {
  readonly send: <Reply>(spec: Spec<Reply>, input?: object, options?: AnyOptions) => Promise<Reply>;
}

/** An operation with a required input. */
export type Operation<Input, Reply, Options = CallOptions> = (
  client: Client,
  input: Input,
  options?: Options,
) => Promise<Reply>;

/** An operation that needs no input. */
export type PlainOperation<Input, Reply, Options = CallOptions> = (
  client: Client,
  input?: Input,
  options?: Options,
) => Promise<Reply>;

/** A get, which can be conditional. */
export interface Get<Input, Reply> {
  (client: Client, input: Input, options: CallOptions & Revalidation): Promise<Reply | undefined>;
  (client: Client, input: Input, options?: CallOptions): Promise<Reply>;
}

/** The objects of all pages (`for await`), or one page (`await`). */
export interface Listing<Item, Page> extends AsyncIterable<Item>, PromiseLike<Page> {
  /** Page by page. To resume, store `next_page_token` and pass it as `page_token`. */
  pages: () => AsyncGenerator<Page, void, void>;
}

export type List<Input, Item, Page> = (client: Client, input?: Input, options?: CallOptions) => Listing<Item, Page>;
export type ListOf<Input, Item, Page> = (client: Client, input: Input, options?: CallOptions) => Listing<Item, Page>;

export function operation<Reply>(spec: Spec<Reply>) {
  return (client: Client, input?: object, options?: AnyOptions): Promise<Reply> => client.send(spec, input, options);
}

export function list<Field extends string, Item, Page extends Record<Field, Item[]> & { next_page_token?: string }>(
  spec: Spec<Page> & { items: Field },
) {
  return (client: Client, input: object = {}, options?: CallOptions): Listing<Item, Page> => {
    const page = (more?: object) => client.send<Page>(spec, { ...input, ...more }, options);
    async function* pages() {
      for (let token: string | undefined, isFirst = true; isFirst || token !== undefined; isFirst = false) {
        const currentPage: Page = await page(isFirst ? {} : { page_token: token });
        yield currentPage;
        token = currentPage.next_page_token;
      }
    }
    return {
      pages,
      then: (onPage, onError) => page().then(onPage, onError),
      async *[Symbol.asyncIterator]() {
        for await (const currentPage of pages()) yield* currentPage[spec.items];
      },
    };
  };
}
