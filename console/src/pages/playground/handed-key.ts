/** A key that was just created, on its way to the playground. In memory, and taken once. */
let handed = ''

export const handKeyToPlayground = (apiKey: string): void => {
  handed = apiKey
}

export function takeHandedKey(): string {
  const apiKey = handed
  handed = ''
  return apiKey
}
