/** The roles of a grid. Its rows are cards on a small screen, whose styles take the roles of a table away. */
export const asGrid = { role: 'grid', 'aria-multiselectable': true } as const;
export const asRow = { role: 'row' } as const;
export const asCell = { role: 'gridcell' } as const;
export const asHeading = { role: 'columnheader' } as const;
