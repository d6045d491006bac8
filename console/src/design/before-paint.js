// Sets the colour scheme and the language before anything is painted.
{
  const kept = (name) => {
    try {
      return localStorage.getItem(name)
    } catch {
      return null
    }
  }
  const page = document.documentElement
  const scheme = kept('console-color-scheme')
  const isDark = scheme === 'dark' || (scheme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  page.dataset.colorScheme = isDark ? 'dark' : 'light'
  page.lang = kept('console-language') ?? (/^zh\b/i.test(navigator.language) ? 'zh-CN' : 'en')
}
