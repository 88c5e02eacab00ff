import type { Violation } from '../../shared/core/errors.ts';
import { shownName } from '../../shared/core/violations.ts';

/** One value of a claim in a form. Rows with the same name are values, one of which the claim must have. */
export interface ClaimRow {
  name: string;
  value: string;
}

export type BoundClaims = Readonly<Record<string, readonly string[]>>;

export const rowsOf = (claims: BoundClaims): ClaimRow[] =>
  Object.entries(claims).flatMap(([name, values]) => values.map((value) => ({ name, value })));

/** The claims of the rows, in their order. A row without any text is left out. */
export function claimsOf(rows: readonly ClaimRow[]): Record<string, string[]> {
  const claims = new Map<string, string[]>();
  for (const { name, value } of rows)
    if (name !== '' || value !== '') claims.set(name, [...(claims.get(name) ?? []), value]);
  return Object.fromEntries(claims);
}

/** The messages about the rows: of each about its name and its value, as the fields of violations name them. */
export function rowMessages(
  rows: readonly ClaimRow[],
  violations: readonly Violation[],
): { name: string | undefined; value: string | undefined }[] {
  const said = (field: string) => violations.find((violation) => violation.field === field)?.message;
  const counts = new Map<string, number>();
  return rows.map(({ name, value }) => {
    if (name === '' && value === '') return { name: undefined, value: undefined };
    const index = counts.get(name) ?? 0;
    counts.set(name, index + 1);
    const field = `claims.${shownName(name)}`;
    return { name: index === 0 ? said(field) : undefined, value: said(`${field}.${index}`) };
  });
}
