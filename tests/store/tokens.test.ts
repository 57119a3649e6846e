/** The contract of both engines for tokens. Every test runs on a new store. */
import { expect, test } from 'bun:test';
import type { Store } from '../../src/store/store.ts';
import { onEveryEngine } from '../support/store/engines.ts';
import { nextMillisecond } from '../support/until.ts';

let store: Store;

onEveryEngine(
  (fresh) => {
    store = fresh;
  },
  () => {
    test('a token is found by its digest and by no other', async () => {
      const token = await store.tokens.create({ name: 'a', scopes: ['plants:read'], digest: 'd1' });
      expect(await store.tokens.findByDigest('d1')).toEqual(token);
      expect(await store.tokens.findByDigest('D1')).toBeUndefined();
      expect(token).toMatchObject({ name: 'a', scopes: ['plants:read'] });
      expect(token.expiresAt).toBeUndefined();
    });

    test('a token that was found before it was revoked is found as revoked', async () => {
      const { id } = await store.tokens.create({ name: 'a', scopes: [], digest: 'd1' });
      expect((await store.tokens.findByDigest('d1'))?.revokedAt).toBeUndefined();
      await store.tokens.revoke(id);
      expect((await store.tokens.findByDigest('d1'))?.revokedAt).toMatch(/Z$/);
    });

    test('tokens are listed oldest first, revoked ones too', async () => {
      const first = await store.tokens.create({ name: 'a', scopes: [], digest: 'd1' });
      await nextMillisecond();
      const second = await store.tokens.create({
        name: 'b',
        scopes: [],
        digest: 'd2',
        expiresAt: '2027-01-01T00:00:00.000Z',
      });
      expect(await store.tokens.revoke(first.id)).toBe(true);
      const [a, b] = await store.tokens.list();
      expect(a).toMatchObject(first);
      expect(a?.revokedAt).toMatch(/Z$/);
      expect(b).toEqual(second);
    });

    test('the last use of a token is the latest hour that was recorded, and only for the named tokens', async () => {
      const [first, second] = [
        await store.tokens.create({ name: 'a', scopes: [], digest: 'd1' }),
        await store.tokens.create({ name: 'b', scopes: [], digest: 'd2' }),
      ];
      const hours = async () => (await store.tokens.list()).map(({ lastUsedAt }) => lastUsedAt);
      expect(await hours()).toEqual([undefined, undefined]);
      const [earlier, later] = ['2026-11-27T09:00:00.000Z', '2026-11-27T10:00:00.000Z'];
      await store.tokens.recordUses([second.id, 'tok_none', first.id], earlier);
      await store.tokens.recordUses([first.id], later);
      await store.tokens.recordUses([first.id], earlier);
      expect(await hours()).toEqual([later, earlier]);
      expect((await store.tokens.findByDigest('d2'))?.revokedAt).toBeUndefined();
    });

    test('revoking a token again keeps the first time, and revoking no token resolves to false', async () => {
      const { id } = await store.tokens.create({ name: 'a', scopes: [], digest: 'd1' });
      await store.tokens.revoke(id);
      const before = await store.tokens.findByDigest('d1');
      await nextMillisecond();
      expect(await store.tokens.revoke(id)).toBe(true);
      expect(await store.tokens.findByDigest('d1')).toEqual(before);
      expect(await store.tokens.revoke('tok_none')).toBe(false);
    });
  },
);
