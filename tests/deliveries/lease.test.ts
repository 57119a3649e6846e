import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  clockLagMsMax,
  type Lease,
  type LeaseRequest,
  type LeaseTable,
  leaseMs,
  planLeases,
  renewalMs,
  type Sender,
  silenceMsMax,
} from '../../src/webhooks/lease.ts';

const startMs = Date.parse('2026-01-01T00:00:00.000Z');
const at = (ms: number): string => new Date(startMs + ms).toISOString();

/** The rows of a database in memory. `renew` writes what is planned, as an engine does. */
const createTable = (webhooks: number) => {
  const leases = new Map<string, { isEnabled: boolean; lease: Lease }>(
    Array.from({ length: webhooks }, (_, number) => [`wh_${number}`, { isEnabled: true, lease: { epoch: 0n } }]),
  );
  const senders = new Map<string, Sender>();
  const read = (): LeaseTable => ({
    webhooks: [...leases].map(([id, one]) => ({ id, ...one })),
    senders: [...senders.values()],
  });
  return {
    leases,
    senders,
    renew: (sender: string, ms: number, request: Partial<LeaseRequest> = {}) => {
      const plan = planLeases(
        read(),
        { sender, released: new Set(), isLeaving: false, ...request },
        new Date(startMs + ms),
      );
      for (const { id, after } of plan.changes) leases.set(id, { isEnabled: true, ...leases.get(id), lease: after });
      for (const id of plan.removed) senders.delete(id);
      if (plan.sender) senders.set(plan.sender.id, plan.sender);
      return plan;
    },
    ownersAt: (ms: number): string[] =>
      [...leases.values()].flatMap(({ lease: { owner, expiresAt = '' } }) =>
        owner && expiresAt > at(ms) ? [owner] : [],
      ),
  };
};

/** Renews the leases of a sender and releases those above its share, as the lanes do. Returns how many are left. */
const settle = (table: ReturnType<typeof createTable>, sender: string, ms: number): number => {
  const { held, share } = table.renew(sender, ms);
  const released = new Set([...held.keys()].slice(share));
  return released.size > 0 ? table.renew(sender, ms, { released }).held.size : held.size;
};

describe('one sender', () => {
  test('a single sender takes the leases of all enabled webhooks, in the first epoch', () => {
    const table = createTable(3);
    table.leases.set('wh_1', { isEnabled: false, lease: { epoch: 0n } });
    const { share, held } = table.renew('a', 0);
    expect(share).toBe(2);
    expect([...held]).toEqual([
      ['wh_0', { epoch: 1n, validMs: leaseMs }],
      ['wh_2', { epoch: 1n, validMs: leaseMs }],
    ]);
  });

  test('a sender is alone until another one joins, and again when that has expired', () => {
    const table = createTable(2);
    expect(table.renew('a', 0)).toMatchObject({ isAlone: true, joins: true });
    expect(table.renew('a', renewalMs)).toMatchObject({ isAlone: true, joins: false });
    expect(table.renew('b', renewalMs)).toMatchObject({ isAlone: false, joins: true });
    expect(table.renew('a', renewalMs + 1)).toMatchObject({ isAlone: false, joins: false });
    expect(table.renew('a', renewalMs + leaseMs - 1).isAlone).toBe(false);
    expect(table.renew('a', renewalMs + leaseMs).isAlone).toBe(true);
  });

  test('a sender is not alone while a lease of a sender that has left is valid', () => {
    const table = createTable(1);
    table.leases.set('wh_0', { isEnabled: true, lease: { owner: 'b', epoch: 1n, expiresAt: at(100) } });
    expect(table.renew('a', 99).isAlone).toBe(false);
    expect(table.renew('a', 100).isAlone).toBe(true);
  });

  test('nothing is written before a renewal is due', () => {
    const table = createTable(2);
    table.renew('a', 0);
    const { changes, sender, removed, held } = table.renew('a', renewalMs - 1);
    expect({ changes, sender, removed }).toEqual({ changes: [], sender: undefined, removed: [] });
    expect(held.get('wh_0')).toEqual({ epoch: 1n, validMs: leaseMs - renewalMs + 1 });
  });

  test('a sender without webhooks writes nothing', () => {
    const { changes, sender, removed } = createTable(0).renew('a', 0);
    expect({ changes, sender, removed }).toEqual({ changes: [], sender: undefined, removed: [] });
  });

  test('when a renewal is due, all leases and the sender are renewed together, in the same epoch', () => {
    const table = createTable(2);
    table.renew('a', 0);
    const { held } = table.renew('a', renewalMs);
    expect([...held.values()]).toEqual([
      { epoch: 1n, validMs: leaseMs },
      { epoch: 1n, validMs: leaseMs },
    ]);
    expect(table.senders.get('a')?.expiresAt).toBe(at(renewalMs + leaseMs));
  });

  test('an expired lease that no other sender has taken is renewed in the same epoch', () => {
    const table = createTable(1);
    table.renew('a', 0);
    expect(table.renew('a', 60_000).held.get('wh_0')).toEqual({ epoch: 1n, validMs: leaseMs });
  });

  test('the lease of a disabled webhook is kept until it is released', () => {
    const table = createTable(1);
    table.renew('a', 0);
    table.leases.set('wh_0', { isEnabled: false, lease: { ...table.leases.get('wh_0')?.lease, epoch: 1n } });
    expect(table.renew('a', 1000).held.has('wh_0')).toBe(true);
    expect(table.renew('a', 2000, { released: new Set(['wh_0']) }).held.has('wh_0')).toBe(false);
    expect(table.leases.get('wh_0')?.lease).toEqual({ epoch: 1n });
  });

  test('a released lease is not taken again in the same step', () => {
    const table = createTable(1);
    table.renew('a', 0);
    expect(table.renew('a', 0, { released: new Set(['wh_0']) }).held.size).toBe(0);
    expect(table.renew('a', 0).held.get('wh_0')?.epoch).toBe(2n);
  });
});

describe('several senders', () => {
  test('a lease is taken only once it has expired, in a new epoch', () => {
    const table = createTable(1);
    table.renew('a', 0);
    expect(table.renew('b', leaseMs - 1).held.size).toBe(0);
    expect(table.renew('b', leaseMs).held.get('wh_0')?.epoch).toBe(2n);
    expect(table.renew('a', leaseMs).held.size).toBe(0);
  });

  test('an expired sender is removed, and no longer counts in the shares', () => {
    const table = createTable(4);
    table.renew('a', 0);
    table.renew('b', 0);
    expect(table.renew('b', leaseMs)).toMatchObject({ share: 4, removed: ['a'] });
    expect([...table.senders.keys()]).toEqual(['b']);
  });

  test('a sender that does not renew stops counting in the shares before its leases expire', () => {
    const table = createTable(4);
    for (let round = 0; round < 2; round += 1) for (const id of ['a', 'b', 'c']) settle(table, id, 0);
    // Sender a has stopped earlier, and sender b stops after this renewal.
    table.renew('b', 6000);
    table.renew('c', 6000);
    const ms = 6000 + silenceMsMax;
    expect(table.renew('c', ms - 1)).toMatchObject({ share: 2 });
    const { share, held } = table.renew('c', ms);
    expect(share).toBe(4);
    expect(held.size).toBe(3);
    expect(table.ownersAt(ms).sort()).toEqual(['b', 'c', 'c', 'c']);
    expect(table.renew('b', ms)).toMatchObject({ share: 2 });
    expect(settle(table, 'c', ms)).toBe(2);
  });

  test('a leaving sender no longer counts in the shares, even before it has released its leases', () => {
    const table = createTable(4);
    table.renew('a', 0);
    settle(table, 'b', 0);
    expect(table.renew('a', 1, { isLeaving: true, released: new Set(['wh_0']) }).held.size).toBe(3);
    expect(table.renew('b', 1)).toMatchObject({ share: 4 });
    expect(table.ownersAt(1).sort()).toEqual(['a', 'a', 'a', 'b']);
    expect(table.renew('a', 9000, { isLeaving: true }).held.get('wh_1')?.validMs).toBe(leaseMs);
  });

  test('no lease is taken when the clock of the database is set back by at most `clockLagMsMax`', () => {
    const table = createTable(2);
    table.renew('a', clockLagMsMax);
    expect(table.renew('b', 0)).toMatchObject({ share: 1, changes: [], removed: [] });
    expect(table.renew('b', -1)).toMatchObject({ removed: ['a'] });
  });

  test('a lease and a sender with times too far in the future count as expired', () => {
    const table = createTable(1);
    table.renew('a', 86_400_000);
    expect(table.renew('b', 0)).toMatchObject({ share: 1, removed: ['a'] });
    expect(table.ownersAt(0)).toEqual(['b']);
  });

  test('the numbers of leases of all senders differ by at most one, however many join and leave', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 30 }),
        fc.array(fc.integer({ min: 1, max: 8 }), { minLength: 1, maxLength: 6 }),
        (webhooks, counts) => {
          const table = createTable(webhooks);
          let ms = 0;
          for (const count of counts) {
            const ids = Array.from({ length: count }, (_, number) => `sender_${number}`);
            // After this time, the senders that have left have expired.
            ms += 2 * leaseMs;
            for (let round = 0; round < 3; round += 1) for (const id of ids) settle(table, id, ms);
            const sizes = ids.map((id) => settle(table, id, ms));
            expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(webhooks);
            expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
          }
        },
      ),
    );
  });

  test('when a sender leaves, only its leases get new owners', () => {
    const table = createTable(6);
    for (let round = 0; round < 3; round += 1) for (const id of ['a', 'b', 'c']) settle(table, id, 0);
    const own = (id: string): string[] =>
      [...table.leases].filter(([, { lease }]) => lease.owner === id).map(([webhook]) => webhook);
    const before = { b: own('b'), c: own('c') };
    expect(own('a')).toHaveLength(2);
    table.renew('a', 1, { isLeaving: true, released: new Set(own('a')) });
    for (const id of ['b', 'c']) settle(table, id, 1);
    expect(own('b')).toEqual(expect.arrayContaining(before.b));
    expect(own('c')).toEqual(expect.arrayContaining(before.c));
    expect([own('a').length, own('b').length, own('c').length]).toEqual([0, 3, 3]);
  });
});
