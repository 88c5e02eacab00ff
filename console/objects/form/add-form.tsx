import FormField from '@cloudscape-design/components/form-field';
import Select from '@cloudscape-design/components/select';
import { useMemo, useState } from 'react';
import { requestOf, violationsOf } from '../../api/client.tsx';
import { insightHint } from '../../model/agent-rules.ts';
import { type Draft, draftOf, jsonOf, labelViolations, withDraft } from '../../model/draft.ts';
import { type TypeOfObject, typesOf, usableFields } from '../../model/fields.ts';
import { keptDrafts } from '../../model/kept-drafts.tsx';
import type { InventoryObject, Kind } from '../../model/kinds.tsx';
import { useCaller, useMay } from '../../ui/caller-context.tsx';
import { NotAllowed } from '../../ui/not-allowed.tsx';
import { usePageTitle } from '../../ui/page-title.tsx';
import { href, useRoute } from '../../ui/route.tsx';
import { useSubmit } from '../../ui/use-submit.tsx';
import { ObjectForm } from './object-form.tsx';
import { leaveSaved } from './leave-saved.tsx';

type Query = Readonly<Record<string, string>>;

/** The fields that the address of the form sets, for example from the link `Add a service here`. */
function givenBy({ node_ids: nodeIds, service_ids: serviceIds, ...rest }: Query): Record<string, unknown> {
  return {
    ...rest,
    ...(nodeIds === undefined ? {} : { node_ids: nodeIds.split(',') }),
    ...(serviceIds === undefined ? {} : { insights: { service_ids: serviceIds.split(',') } }),
  };
}

export function AddForm<T extends InventoryObject>({ kind }: { kind: Kind<T> }) {
  const mayAdd = useMay(kind.contracts.add);
  const title = `Add ${kind.noun}`;
  return mayAdd ? <Fields kind={kind} title={title} /> : <NotAllowed title={title} endpoint={kind.contracts.add} />;
}

interface TypeSelectProps {
  types: readonly TypeOfObject[];
  type: string;
  onChange: (type: string) => void;
}

function TypeSelect({ types, type, onChange }: TypeSelectProps) {
  const options = types.map((objectType) => ({
    value: objectType.type,
    label: objectType.type,
    description: objectType.description,
  }));
  return (
    <FormField label="Type" description="Determines the fields. It cannot be changed later.">
      <Select
        options={options}
        filteringType={options.length > 8 ? 'auto' : 'none'}
        selectedOption={options.find(({ value }) => value === type) ?? null}
        triggerVariant="option"
        onChange={({ detail }) => onChange(detail.selectedOption.value ?? type)}
      />
    </FormField>
  );
}

function Fields<T extends InventoryObject>({ kind, title }: { kind: Kind<T>; title: string }) {
  const { query } = useRoute();
  const { name } = useCaller();
  const { body } = kind.contracts.add;
  const types = useMemo(() => typesOf(body), [body]);
  const [type, setType] = useState(query[kind.typeField] ?? types[0]?.type ?? '');
  const fieldsOf = (wanted: string) =>
    usableFields(wanted, types.find((candidate) => candidate.type === wanted)?.fields ?? []);
  const fields = fieldsOf(type);
  const start = draftOf(fields, givenBy(query));
  const [draft, setDraft] = useState<Draft>(() => keptDrafts.get(name)?.draft ?? start);
  usePageTitle(title, [{ text: kind.title, href: href([kind.folder]) }]);

  const json = { [kind.typeField]: type, ...jsonOf(fields, draft) };
  const form = useSubmit({
    check: () => [...labelViolations(fields, draft), ...violationsOf(body, json)],
    send: async () => leaveSaved(kind, await kind.add(json), 'added'),
  });
  const setTypeTo = (next: string) => {
    setDraft(withDraft(draftOf(fieldsOf(next), givenBy(query)), draft));
    setType(next);
    form.forget();
  };
  return (
    <ObjectForm
      title={title}
      head={<TypeSelect types={types} type={type} onChange={setTypeTo} />}
      fields={fields}
      draft={draft}
      start={start}
      hintOf={(path) => insightHint(type, path)}
      form={form}
      submitText={title}
      request={requestOf(kind.contracts.add, { body: json })}
      backTo={href([kind.folder])}
      onChange={setDraft}
    />
  );
}
