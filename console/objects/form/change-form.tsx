import Alert from '@cloudscape-design/components/alert';
import FormField from '@cloudscape-design/components/form-field';
import Header from '@cloudscape-design/components/header';
import Input from '@cloudscape-design/components/input';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useMemo, useState } from 'react';
import { type ApiFailure, parsedBy, requestOf } from '../../api/client.tsx';
import { flash } from '../../ui/flash.ts';
import { insightHint } from '../../model/agent-rules.ts';
import { differencesOf } from '../../model/differences.ts';
import { type Draft, draftOf, equal, jsonOf, labelViolations, patchOf, rebase } from '../../model/draft.ts';
import { changeableFields, typesOf } from '../../model/fields.ts';
import { keptDrafts } from '../../model/kept-drafts.ts';
import type { InventoryObject, Kind } from '../../model/kinds.tsx';
import { labelOf } from '../../ui/words.ts';
import { leaving } from '../../ui/leaving.tsx';
import { go, href } from '../../ui/route.tsx';
import { usableFields, violationsOf } from './add-form.tsx';
import { useCaller, useMay } from '../../ui/caller-context.tsx';
import { FailureAlert } from '../../ui/failure-alert.tsx';
import { NotAllowed } from '../../ui/not-allowed.tsx';
import { ObjectForm } from './object-form.tsx';
import { PageLoading } from '../../ui/page-loading.tsx';
import { usePageTitle } from '../../ui/page-title.tsx';
import { failureOf, useLoad } from '../../ui/use-load.tsx';

interface Props<T extends InventoryObject> {
  kind: Kind<T>;
  id: string;
}

export function ChangeForm<T extends InventoryObject>({ kind, id }: Props<T>) {
  const { value, failure, reload } = useLoad(`change/${kind.folder}/${id}`, (signal) => kind.get(id, { signal }));
  const mayChange = useMay(kind.contracts.change);
  if (!mayChange) return <NotAllowed title={`Change ${kind.noun}`} endpoint={kind.contracts.change} />;
  if (failure !== undefined)
    return (
      <SpaceBetween size="m">
        <Header variant="h1">Change {kind.noun}</Header>
        <FailureAlert failure={failure} what={`The ${kind.noun} could not be loaded`} retry={reload} />
      </SpaceBetween>
    );
  return value === undefined ? <PageLoading /> : <Fields kind={kind} loaded={value} />;
}

/** What somebody else changed, each label and each part of a group by itself. */
interface Theirs {
  changed: readonly string[];
  /** Of those, what the user has changed to something else. */
  contested: readonly string[];
}

type Json = Readonly<Record<string, unknown>>;

function theirsOf(before: Json, { mine, now }: { mine: Json; now: Json }): Theirs {
  const differences = (after: Json) => differencesOf({ action: 'changed', before, after });
  const own = new Map(differences(mine).map((difference) => [difference.path, difference.after]));
  const changed = differences(now);
  // Lists are merged entry by entry.
  const contested = changed.filter(
    ({ path, after }) => own.has(path) && !Array.isArray(own.get(path)) && !equal(own.get(path), after),
  );
  return { changed: changed.map(({ label }) => label), contested: contested.map(({ label }) => label) };
}

function Fields<T extends InventoryObject>({ kind, loaded }: { kind: Kind<T>; loaded: T }) {
  const { add, change } = kind.contracts;
  const { name } = useCaller();
  const [object, setObject] = useState(loaded);
  const id = kind.idOf(object);
  const type = kind.typeOf(object);
  const { all, fields } = useMemo(() => {
    const changeable = changeableFields(change.body);
    const ofType = usableFields(type, typesOf(add.body).find((one) => one.type === type)?.fields ?? []);
    return { all: ofType, fields: ofType.filter((field) => changeable.has(field.name)) };
  }, [add, change, type]);
  const asJson = (of: T) => Object.fromEntries(Object.entries(of));
  const base = useMemo(() => draftOf(fields, asJson(object)), [fields, object]);
  const [draft, setDraft] = useState<Draft>(() => {
    const kept = keptDrafts.take(name, location.hash);
    return kept === undefined ? base : rebase(fields, { mine: kept.draft, base: kept.start, theirs: base });
  });
  const [failure, setFailure] = useState<ApiFailure>();
  const [theirs, setTheirs] = useState<Theirs>();
  const [busy, setBusy] = useState(false);
  const page = href([kind.folder, id]);
  const title = `Change ${kind.nameOf(object)}`;
  usePageTitle(title, [
    { text: kind.title, href: href([kind.folder]) },
    { text: kind.nameOf(object), href: page },
  ]);

  /** Somebody else was faster: their state is the new base, with the user's changes on top. */
  const takeOver = async () => {
    const next = await kind.get(id);
    const nextBase = draftOf(fields, asJson(next));
    const [old, now] = [jsonOf(fields, base), jsonOf(fields, nextBase)];
    setTheirs(theirsOf(old, { mine: jsonOf(fields, draft), now }));
    setDraft(rebase(fields, { mine: draft, base, theirs: nextBase }));
    setObject(next);
  };
  const patch = () => patchOf(jsonOf(fields, base), jsonOf(fields, draft));
  const submit = async () => {
    const changes = patch();
    if (Object.keys(changes).length === 0) {
      leaving.release();
      go(page);
      return;
    }
    setBusy(true);
    setFailure(undefined);
    try {
      await kind.change(id, changes, { ifMatch: object.revision });
      flash.add({ type: 'success', content: `The ${kind.noun} ${kind.nameOf(object)} was changed.` }, { pages: 1 });
      leaving.release();
      go(page);
    } catch (error) {
      const known = failureOf(error);
      if (known.status === 412) await takeOver().catch((again: unknown) => setFailure(failureOf(again)));
      else setFailure(known);
      setBusy(false);
    }
  };

  return (
    <ObjectForm
      title={title}
      notice={
        theirs !== undefined && (
          <Alert type="warning" header={`This ${kind.noun} was changed by another user`}>
            {theirs.changed.length === 0
              ? 'None of the fields below differ.'
              : `They changed: ${theirs.changed.join(', ')}.`}{' '}
            {theirs.contested.length > 0 &&
              `You also changed these fields; your values are kept: ${theirs.contested.join(', ')}. `}
            The form contains your changes and theirs. Check it and save again.
          </Alert>
        )
      }
      head={
        <FormField label={labelOf(kind.typeField)} description="Cannot be changed.">
          <Input value={type} readOnly />
        </FormField>
      }
      fields={fields}
      draft={draft}
      start={base}
      hintOf={(path) => insightHint(type, path)}
      check={(form) => [
        ...labelViolations(fields, form),
        // As if it were added anew, so that a change can lead nowhere that an add could not.
        ...violationsOf(() =>
          parsedBy(add.body, { [kind.typeField]: type, ...jsonOf(all, { ...draftOf(all, asJson(object)), ...form }) }),
        ),
      ]}
      failure={failure}
      busy={busy}
      submitText="Save changes"
      request={{
        ...requestOf(change, { params: { [kind.idField]: id }, body: patch() }),
        revision: object.revision,
      }}
      backTo={page}
      onChange={setDraft}
      onSubmit={() => void submit()}
    />
  );
}
