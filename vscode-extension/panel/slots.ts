/**
 * Answers that the panel waits for, each in its place. An answer counts as current only if it answers what is wanted now;
 * one to an earlier wish may stay, marked as previous; a failed wish shows no number at all.
 */

export interface Slot<T = unknown> {
  /** What is wanted: method and parameters, and the results that they belong to. */
  readonly key: string;
  /** The same without how finely a plot is drawn: a coarser one answers the same question. */
  readonly base: string;
  /** What it is about, where the place does not say it: the measure of a plot. An answer about another one is none. */
  readonly subject: string;
  readonly phase: "waiting" | "answered" | "failed";
  /** The last good answer, and what it answered. */
  readonly answer: { readonly base: string; readonly value: T } | null;
  readonly error: string;
}

export type Shown<T> =
  | { readonly kind: "nothing" }
  | { readonly kind: "waiting"; readonly previous: T | null }
  | { readonly kind: "failed"; readonly message: string }
  | { readonly kind: "current"; readonly value: T };

export function wished(slot: Slot | undefined, { key, base, subject }: Pick<Slot, "key" | "base" | "subject">): Slot {
  if (slot?.key === key) {
    return slot;
  }
  return { key, base, subject, phase: "waiting", answer: slot?.subject === subject ? slot.answer : null, error: "" };
}

/** Take an answer, unless something else is wanted by now: then it may only stand as the previous one. */
export function answered(slot: Slot, key: string, base: string, subject: string, value: unknown): Slot {
  if (slot.key === key) {
    return { ...slot, phase: "answered", answer: { base, value }, error: "" };
  }
  return slot.phase === "waiting" && slot.subject === subject ? { ...slot, answer: { base, value } } : slot;
}

export function failed(slot: Slot, key: string, error: string): Slot {
  return slot.key === key
    ? { ...slot, phase: "failed", answer: isToTheQuestion(slot) ? slot.answer : null, error }
    : slot;
}

/** Whether the last answer is to what is wanted now, if more coarsely. */
function isToTheQuestion(slot: Slot): boolean {
  return slot.answer?.base === slot.base;
}

export function shown<T>(slot: Slot | undefined): Shown<T> {
  if (slot === undefined) {
    return { kind: "nothing" };
  }
  if (slot.answer !== null && isToTheQuestion(slot)) {
    return { kind: "current", value: slot.answer.value as T };
  }
  return slot.phase === "failed"
    ? { kind: "failed", message: slot.error }
    : { kind: "waiting", previous: (slot.answer?.value ?? null) as T | null };
}

/** The value to draw, and whether it is the one that is wanted. */
export function drawable<T>(shown: Shown<T>): { readonly value: T; readonly current: boolean } | null {
  switch (shown.kind) {
    case "current":
      return { value: shown.value, current: true };
    case "waiting":
      return shown.previous === null ? null : { value: shown.previous, current: false };
    case "failed":
    case "nothing":
      return null;
  }
}
