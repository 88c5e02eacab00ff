/** The script of the documents: open parts, the search, and the buttons that copy code. Without it, the pages can be read. */
import { addCopyButtons } from './copy-buttons.tsx';
import { followWidth } from './disclosures.tsx';
import { addSearch } from './search-field.tsx';

followWidth();
addCopyButtons();
addSearch();
