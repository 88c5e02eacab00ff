import ButtonDropdown from '@cloudscape-design/components/button-dropdown';

export interface MenuAction {
  id: string;
  text: string;
  act?: () => void;
  /** The page that it opens. */
  href?: string;
}

interface Props {
  /** The object of the actions. */
  name: string;
  actions: readonly MenuAction[];
  /** Whether the button is in a row of a table. */
  isInline?: boolean;
}

/** The button with the actions on an object. */
export function ActionMenu({ name, actions, isInline = true }: Props) {
  return (
    <ButtonDropdown
      items={actions.map(({ id, text, href }) => ({ id, text, href }))}
      variant={isInline ? 'inline-icon' : 'normal'}
      ariaLabel={`Actions on ${name}`}
      expandToViewport
      onItemClick={({ detail }) => actions.find(({ id }) => id === detail.id)?.act?.()}
    >
      {isInline ? undefined : 'Actions'}
    </ButtonDropdown>
  );
}
