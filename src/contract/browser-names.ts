/** No browser needs more to say its name; a longer text would only cost time. */
const longestUserAgent = 512

/** The browser and the system by their names; null if neither is known. The console loads this file too. */
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
