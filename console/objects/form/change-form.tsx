import Alert from '@cloudscape-design/components/alert';
import FormField from '@cloudscape-design/components/form-field';
import Header from '@cloudscape-design/components/header';
import Input from '@cloudscape-design/components/input';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useMemo, useState } from 'react';
import { requestOf, violationsOf } from '../../api/client.tsx';
import { insightHint } from '../../model/agent-rules.ts';
import { differencesOf } from '../../model/differences.ts';
import { type Draft, draftOf, equal, jsonOf, labelViolations, patchOf, rebase } from '../../model/draft.ts';
import { changeableFields, typesOf, usableFields } from '../../model/fields.ts';
import { keptDrafts } from '../../model/kept-drafts.tsx';
import type { InventoryObject, Kind } from '../../model/kinds.tsx';
import { foreignReason, useOwnerLimit } from '../../model/own-objects.tsx';
import { labelOf } from '../../ui/words.ts';
import { href } from '../../ui/route.tsx';
import { useCaller, useMay } from '../../ui/caller-context.tsx';
import { FailureAlert } from '../../ui/failure-alert.tsx';
import { NotAllowed } from '../../ui/not-allowed.tsx';
import { ObjectForm } from './object-form.tsx';
import { PageLoading } from '../../ui/page-loading.tsx';
import { usePageTitle } from '../../ui/page-title.tsx';
import { failureOf, useLoad } from '../../ui/use-load.tsx';
import { useSubmit } from '../../ui/use-submit.tsx';
import { leaveSaved } from './leave-saved.tsx';

interface Props<T extends InventoryObject> {
  kind: Kind<T>;
  id: string;
}

export function ChangeForm<T extends InventoryObject>({ kind, id }: Props<T>) {
  const { value, failure, reload } = useLoad(`change/${kind.folder}/${id}`, (signal) => kind.get(id, { signal }));
  const mayChange = useMay(kind.contracts.change);
  const limit = useOwnerLimit();
  if (!mayChange) return <NotAllowed title={`Change ${kind.noun}`} endpoint={kind.contracts.change} />;
  if (failure !== undefined)
    return (
      <SpaceBetween size="m">
        <Header variant="h1">Change {kind.noun}</Header>
        <FailureAlert failure={failure} what={`The ${kind.noun} could not be loaded`} retry={reload} />
      </SpaceBetween>
    );
  if (value === undefined) return <PageLoading />;
  const foreign = foreignReason(limit, kind, value);
  return foreign === undefined ? (
    <Fields kind={kind} loaded={value} />
  ) : (
    <SpaceBetween size="m">
      <Header variant="h1">Change {kind.noun}</Header>
      <Alert type="info">{foreign}</Alert>
    </SpaceBetween>
  );
}

/** The names of the fields that another user changed; each label and each field of a group counts separately. */
interface OtherChanges {
  changed: readonly string[];
  /** Those of them that the user of the form has changed to another value. */
  contested: readonly string[];
}

type Json = Readonly<Record<string, unknown>>;

function theirsOf(before: Json, { mine, now }: { mine: Json; now: Json }): OtherChanges {
  const differences = (after: Json) => differencesOf({ action: 'changed', before, after });
  const myValues = new Map(differences(mine).map((difference) => [difference.path, difference.after]));
  const changed = differences(now);
  // Lists are merged entry by entry.
  const contested = changed.filter(
    ({ path, after }) => myValues.has(path) && !Array.isArray(myValues.get(path)) && !equal(myValues.get(path), after),
  );
  return { changed: changed.map(({ label }) => label), contested: contested.map(({ label }) => label) };
}

function ConflictAlert({ noun, theirs: { changed, contested } }: { noun: string; theirs: OtherChanges }) {
  return (
    <Alert type="warning" header={`This ${noun} was changed by another user`}>
      {changed.length === 0 ? 'None of the fields below differ.' : `They changed: ${changed.join(', ')}.`}{' '}
      {contested.length > 0 && `You also changed these fields; your values are kept: ${contested.join(', ')}. `}
      The form contains your changes and theirs. Check it and save again.
    </Alert>
  );
}

const jsonFrom = (object: InventoryObject): Json => Object.fromEntries(Object.entries(object));

/** The content of the form. After a concurrent change, the object of the other user is the new base of the form. */
function useChangedDraft<T extends InventoryObject>(kind: Kind<T>, loaded: T) {
  const { name } = useCaller();
  const { add, change } = kind.contracts;
  const type = kind.typeOf(loaded);
  const { all, fields } = useMemo(() => {
    const changeable = changeableFields(change.body);
    const ofType = usableFields(type, typesOf(add.body).find((candidate) => candidate.type === type)?.fields ?? []);
    return { all: ofType, fields: ofType.filter((field) => changeable.has(field.name)) };
  }, [add, change, type]);
  const [object, setObject] = useState(loaded);
  const [theirs, setTheirs] = useState<OtherChanges>();
  const base = useMemo(() => draftOf(fields, jsonFrom(object)), [fields, object]);
  const [draft, setDraft] = useState<Draft>(() => {
    const kept = keptDrafts.get(name);
    return kept === undefined ? base : rebase(fields, { mine: kept.draft, base: kept.start, theirs: base });
  });
  const rebaseOnto = (next: T) => {
    const nextBase = draftOf(fields, jsonFrom(next));
    setTheirs(theirsOf(jsonOf(fields, base), { mine: jsonOf(fields, draft), now: jsonOf(fields, nextBase) }));
    setDraft(rebase(fields, { mine: draft, base, theirs: nextBase }));
    setObject(next);
  };
  /** The body of an add of the changed object. A change may not lead to an object that an add refuses. */
  const whole = { [kind.typeField]: type, ...jsonOf(all, { ...draftOf(all, jsonFrom(object)), ...draft }) };
  const patch = patchOf(jsonOf(fields, base), jsonOf(fields, draft));
  return { object, type, fields, base, draft, setDraft, theirs, rebaseOnto, whole, patch };
}

function Fields<T extends InventoryObject>({ kind, loaded }: { kind: Kind<T>; loaded: T }) {
  const { add, change } = kind.contracts;
  const { object, type, fields, base, draft, setDraft, theirs, rebaseOnto, whole, patch } = useChangedDraft(
    kind,
    loaded,
  );
  const id = kind.idOf(object);
  const page = href([kind.folder, id]);
  const title = `Change ${kind.nameOf(object)}`;
  usePageTitle(title, [
    { text: kind.title, href: href([kind.folder]) },
    { text: kind.nameOf(object), href: page },
  ]);

  const send = async () => {
    if (Object.keys(patch).length === 0) {
      leaveSaved(kind, object);
      return;
    }
    try {
      await kind.change(id, patch, { ifMatch: object.revision });
    } catch (error) {
      if (failureOf(error).status !== 412) throw error;
      rebaseOnto(await kind.get(id));
      return;
    }
    leaveSaved(kind, object, 'changed');
  };
  const form = useSubmit({
    check: () => [...labelViolations(fields, draft), ...violationsOf(add.body, whole)],
    send,
  });

  return (
    <ObjectForm
      title={title}
      notice={theirs !== undefined && <ConflictAlert noun={kind.noun} theirs={theirs} />}
      head={
        <FormField label={labelOf(kind.typeField)} description="Cannot be changed.">
          <Input value={type} readOnly />
        </FormField>
      }
      fields={fields}
      draft={draft}
      start={base}
      hintOf={(path) => insightHint(type, path)}
      form={form}
      submitText="Save changes"
      request={{ ...requestOf(change, { params: { [kind.idField]: id }, body: patch }), revision: object.revision }}
      backTo={page}
      onChange={setDraft}
    />
  );
}
