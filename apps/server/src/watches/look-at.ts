import { lookup } from 'node:dns/promises';
import { request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { type Phrase, phrase } from '@medley/core';
import { addressFault, type ProbeAddresses } from './probe-addresses.js';

export interface HttpQuestion {
  url: string;
  method: string;
  headers: Readonly<Record<string, string>>;
  expectStatus: readonly number[];
}

/** What one look found: a status, or why there was none. */
export interface Look {
  isMet: boolean;
  found: Phrase;
}

interface Address {
  address: string;
  family: number;
}

/** From the look-up of the name to the head of the answer. */
export const LOOK_SECONDS = 10;
const HEAD_MAX_BYTES = 16_384;

/**
 * One look at an address. Whatever goes wrong is an answer too: it is not met, and why. Only the head of the answer is read, at most 16 KiB. Redirects are not followed, and
 * what is connected to are the addresses that were checked: a name that resolves to something else a moment later reaches nothing.
 */
export async function lookAt(question: HttpQuestion, allowed: ProbeAddresses, seconds = LOOK_SECONDS): Promise<Look> {
  const signal = AbortSignal.timeout(seconds * 1000);
  try {
    const addresses = await Promise.race([addressesOf(question.url), timeOver(signal)]);
    const refused = addresses.map(({ address }) => addressFault(address, allowed)).find((fault) => fault !== null);
    if (refused) return { isMet: false, found: refused };
    const status = await Promise.race([statusOf(question, addresses, signal), timeOver(signal)]);
    return { isMet: question.expectStatus.includes(status), found: phrase('look-status', { status }) };
  } catch (error) {
    const fault = error instanceof Error ? ((error as NodeJS.ErrnoException).code ?? error.message) : String(error);
    return { isMet: false, found: signal.aborted ? phrase('look-timeout', { seconds }) : phrase('look-failed', { fault }) };
  }
}

function timeOver(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));
}

async function addressesOf(url: string): Promise<Address[]> {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
  const family = isIP(host);
  return family > 0 ? [{ address: host, family }] : lookup(host, { all: true });
}

function statusOf({ url, method, headers }: HttpQuestion, addresses: readonly Address[], signal: AbortSignal): Promise<number> {
  const send = url.startsWith('https:') ? requestSecure : requestPlain;
  return new Promise((resolve, reject) => {
    const options = { method, headers: { ...headers }, lookup: pinnedTo(addresses), agent: false, signal, maxHeaderSize: HEAD_MAX_BYTES };
    const request = send(new URL(url), options);
    request.on('response', ({ statusCode = 0 }) => {
      resolve(statusCode);
      request.destroy();
    });
    request.on('error', reject);
    request.end();
  });
}

function pinnedTo(addresses: readonly Address[]): LookupFunction {
  return (_hostname, options, answer) => {
    if (options.all) answer(null, [...addresses]);
    else answer(null, addresses[0]!.address, addresses[0]!.family);
  };
}
