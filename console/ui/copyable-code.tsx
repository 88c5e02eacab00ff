import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard';

interface Props {
  text: string;
  /** Describes the text for screen readers. */
  label: string;
  onCopied?: () => void;
}

/** A text for a terminal, with a button that copies it. */
export function CopyableCode({ text, label, onCopied }: Props) {
  return (
    <div className="secret">
      <code className="mono any-word command">{text}</code>
      <CopyToClipboard
        copyButtonText="Copy"
        copyButtonAriaLabel={`Copy: ${label}`}
        copySuccessText="Copied"
        copyErrorText="Could not copy. Select the text and copy it manually."
        textToCopy={text}
        popoverRenderWithPortal
        {...(onCopied === undefined ? {} : { onCopySuccess: onCopied })}
      />
    </div>
  );
}
