/** What a user does with a row. */
import type { Edit } from './edits.ts';
import type { MemberName, Plant, Values } from './members.ts';

export interface RowActions {
  onEdit(plant: Plant, name: MemberName): void;
  onType(id: bigint, values: Values): void;
  onSave(edit: Edit, name: MemberName): void;
  onResolve(id: bigint, values: Values): void;
  onCancel(id: bigint, name: MemberName): void;
  onSelect(plant: Plant): void;
  onDelete(plant: Plant): void;
  onRestore(plant: Plant): void;
  onTag(tag: string): void;
  /** The address of the page in which the plant is open. */
  hrefOf(id: bigint): string;
}
