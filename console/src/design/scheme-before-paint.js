// Sets the colour scheme that was chosen here before anything is painted.
{
  const kept = localStorage.getItem('console-color-scheme')
  const isDark = kept === 'dark' || (kept !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.dataset.mantineColorScheme = isDark ? 'dark' : 'light'
}
