/**
 * What the programs in this folder share: they follow the live log with one client each, as its documentation shows, and print the id
 * and the data of each event that the client reports, as a JSON array on one line.
 */
export const url = `${process.env['EVENTS_URL']}`;

export const headers = { authorization: `Bearer ${process.env['EVENTS_TOKEN']}` };

export const print = (id: string | undefined, data: string): void => console.log(JSON.stringify([id, data]));
