import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import SplitPanel from '@cloudscape-design/components/split-panel';
import type { ReactNode } from 'react';
import { agents, type InventoryObject, isObjectOf, type Kind, nodes, services } from '../../model/kinds.tsx';
import { href } from '../../ui/route.tsx';
import type { ShownObjects } from '../../model/shown-objects.tsx';
import { agentDetails, nodeDetails, serviceDetails } from './details-of-kinds.tsx';
import { type Details, ObjectDetails, ObjectLabels } from './object-details.tsx';
import { numberText } from '../../ui/words.ts';

interface ContentProps<T extends InventoryObject> {
  kind: Kind<T>;
  object: T;
  details: Details<T>;
  loadedAt: number | undefined;
  columns: number;
}

function Content<T extends InventoryObject>(props: ContentProps<T>) {
  const { kind, object, columns } = props;
  return (
    <SpaceBetween size="l">
      <Button href={href([kind.folder, kind.idOf(object)])}>Open the page of the {kind.noun}</Button>
      <ObjectDetails {...props} />
      {Object.keys(object.custom_labels).length > 0 && (
        <SpaceBetween size="s">
          <Header variant="h3">Labels</Header>
          <ObjectLabels labels={object.custom_labels} columns={columns} />
        </SpaceBetween>
      )}
    </SpaceBetween>
  );
}

interface Props {
  shown: ShownObjects;
  isOpen: boolean;
  columns: number;
}

interface Panel {
  header: string;
  content: ReactNode;
}

type Common = Pick<Props, 'columns'> & { loadedAt: number | undefined };

const panelOf =
  <T extends InventoryObject>(kind: Kind<T>, details: Details<T>) =>
  (object: InventoryObject, common: Common): Panel | undefined =>
    isObjectOf(kind, object)
      ? { header: kind.nameOf(object), content: <Content kind={kind} object={object} details={details} {...common} /> }
      : undefined;

const panels = [panelOf(nodes, nodeDetails), panelOf(services, serviceDetails), panelOf(agents, agentDetails)];

function contentOf({ shown: { noun, object, count, loadedAt }, columns }: Omit<Props, 'isOpen'>): Panel {
  if (object !== undefined)
    for (const panel of panels) {
      const content = panel(object, { loadedAt, columns });
      if (content !== undefined) return content;
    }
  return {
    header: count === 0 ? `No ${noun} is selected` : `${numberText(count)} ${noun}s are selected`,
    content: <Box color="text-body-secondary">To see the details of a {noun}, select it alone in the list.</Box>,
  };
}

/** The panel beside a list with the details of the selected object. */
export default function ObjectPanel({ isOpen, ...props }: Props) {
  const { header, content } = contentOf(props);
  return (
    <SplitPanel
      header={header}
      closeBehavior="collapse"
      i18nStrings={{ openButtonAriaLabel: 'Open the details', closeButtonAriaLabel: 'Close the details' }}
    >
      {isOpen && content}
    </SplitPanel>
  );
}
