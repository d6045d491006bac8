/** What was typed, handed from one form to the next in memory; taken once. */
export interface Typed {
  readonly identifier: string
  readonly password: string
}

let typed: Typed | null = null

export const remember = (values: Typed): void => {
  typed = values
}

export function takeRemembered(): Typed | null {
  const values = typed
  typed = null
  return values
}
