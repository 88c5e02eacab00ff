import { useState } from 'react';
import type { Endpoint } from '../../functions/contract/endpoint.ts';
import { type AnyCall, requestOf, violationsOf } from '../api/client.tsx';
import { useSubmit } from './use-submit.tsx';

interface RequestForm<Draft, Body> {
  endpoint: Endpoint;
  params?: AnyCall['params'];
  /** The revision that the object must have. */
  revision?: number;
  /** The first content of the form, by the names of the body's fields. */
  start: Draft | (() => Draft);
  bodyOf: (draft: Draft) => Body;
  send: (body: Body) => Promise<void>;
  /** The field that a conflict (409) is about. */
  unique?: keyof Draft & string;
}

/** The properties of a field of a form. */
export interface FieldOf<T> {
  value: T;
  error: string | undefined;
  onChange: (value: T) => void;
}

/** The fields of a form by name. */
export type FieldsOf<Draft> = { readonly [Name in keyof Draft]: FieldOf<Draft[Name]> };

type Change = (name: string, value: unknown) => void;

function fieldsOf<Draft extends object>(
  draft: Draft,
  said: (name: string) => string | undefined,
  change: Change,
): FieldsOf<Draft>;
function fieldsOf(draft: object, said: (name: string) => string | undefined, change: Change): object {
  const fields: Record<string, FieldOf<unknown>> = {};
  for (const [name, value] of Object.entries(draft))
    fields[name] = { value, error: said(name), onChange: (next) => change(name, next) };
  return fields;
}

/** The form of one request: the schema of its endpoint checks the body, and the form shows the request. */
export function useRequestForm<Draft extends object, Body>(options: RequestForm<Draft, Body>) {
  const { endpoint, params, revision, start, bodyOf, send, unique } = options;
  const [draft, setDraft] = useState(start);
  const bodyNow = () => bodyOf(draft);
  const submission = useSubmit({
    check: () => violationsOf(endpoint.body, bodyNow()),
    send: () => send(bodyNow()),
    ...(unique !== undefined && { unique }),
  });
  const said = (name: string) =>
    submission.violations.find(({ field }) => field === name || field.startsWith(`${name}.`))?.message;
  const fields = fieldsOf(draft, said, (name, value) => {
    setDraft((present) => ({ ...present, [name]: value }));
    // The conflict was about the former value.
    if (name === unique) submission.forget();
  });
  return {
    ...submission,
    request: { ...requestOf(endpoint, { params, body: bodyNow() }), ...(revision !== undefined && { revision }) },
    draft,
    fields,
  };
}

/** The fields of a request that the user has filled: none for an empty text or list. */
export function filledFields<Fields extends Record<string, string | string[] | undefined>>(
  fields: Fields,
): Partial<Fields>;
export function filledFields(fields: Record<string, string | string[] | undefined>): object {
  const isFilled = (value: string | string[] = '') => (typeof value === 'string' ? value.trim() : value).length > 0;
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => isFilled(value)));
}
