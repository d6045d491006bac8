import { maskAddress } from '../../../base/addresses.ts'
import type { Call } from '../../../http/route.ts'

/** Where a session was opened, for its owner to recognize; nothing that identifies one machine. */
export interface SessionClient {
  /** Such as `Firefox, Linux`. */
  readonly browser: string | null
  /** Such as `203.0.113.x`. */
  readonly network: string | null
}

export function clientOf(call: Call): SessionClient {
  const userAgent = call.header('user-agent')
  return {
    browser: typeof userAgent === 'string' ? null : browserOf(userAgent.value),
    network: maskAddress(call.requester.address),
  }
}

/** No browser needs more to say its name; a longer text would only cost time. */
const longestUserAgent = 512

/** The browser and the system by their names; null if neither is known. The text itself is not stored. */
export function browserOf(userAgent: string): string | null {
  const text = userAgent.slice(0, longestUserAgent)
  const first = (names: typeof browsers) => names.find(([pattern]) => pattern.test(text))?.[1]
  const names = [first(browsers), first(systems)].filter((name) => name !== undefined)
  return names.length === 0 ? null : names.join(', ')
}

/** In this order, because most browsers also name the ones they descend from. */
const browsers: [RegExp, string][] = [
  [/MicroMessenger\//, 'WeChat'],
  [/HuaweiBrowser\//, 'Huawei Browser'],
  [/QQBrowser\//, 'QQ Browser'],
  [/Edg(?:A|iOS)?\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/(?:Firefox|FxiOS)\//, 'Firefox'],
  [/(?:Chrome|Chromium|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/Version\/[\d.]+ .*Safari\//, 'Safari'],
  [/^curl\//, 'curl'],
]

const systems: [RegExp, string][] = [
  [/HarmonyOS|OpenHarmony/, 'HarmonyOS'],
  [/Android/, 'Android'],
  [/iPhone|iPod/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Windows/, 'Windows'],
  [/Macintosh|Mac OS X/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux|X11/, 'Linux'],
]
