/** Each English locale names the zones of its own part of the world and writes the others as GMT+n. */
const locales = ['en-US', 'en-GB', 'en-AU', 'en-IN', 'en-ZA', 'en-IE', 'en-SG', 'en-HK'];

/** Usual names of zones that no English locale names, by offset, so that a zone's past offsets are not renamed. */
const usual: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'America/Argentina/Buenos_Aires': { 'GMT-3': 'ART' },
  'America/Bogota': { 'GMT-5': 'COT' },
  'America/Lima': { 'GMT-5': 'PET' },
  'America/Sao_Paulo': { 'GMT-3': 'BRT' },
  'America/St_Johns': { 'GMT-3:30': 'NST', 'GMT-2:30': 'NDT' },
  'Asia/Bangkok': { 'GMT+7': 'ICT' },
  'Asia/Jakarta': { 'GMT+7': 'WIB' },
  'Asia/Jerusalem': { 'GMT+2': 'IST', 'GMT+3': 'IDT' },
  'Asia/Karachi': { 'GMT+5': 'PKT' },
  'Asia/Kuala_Lumpur': { 'GMT+8': 'MYT' },
  'Asia/Seoul': { 'GMT+9': 'KST' },
  'Asia/Tokyo': { 'GMT+9': 'JST' },
  'Europe/Istanbul': { 'GMT+3': 'TRT' },
  'Europe/Moscow': { 'GMT+3': 'MSK' },
};

const formats = new Map<string, readonly Intl.DateTimeFormat[]>();

const formatsOf = (zone: string): readonly Intl.DateTimeFormat[] => {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  const made = locales.map(
    (locale) => new Intl.DateTimeFormat(locale, { timeZone: zone, timeZoneName: 'short' }),
  );
  formats.set(zone, made); // a few hundred at most: there are no more zones
  return made;
};

/** What a zone is called at a moment: CET or CEST, EST or EDT; GMT+n where there is no common name. */
export function zoneName(at: Date, zone: string): string {
  let offset = '';
  for (const format of formatsOf(zone)) {
    const name = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '';
    if (!/^GMT[+-]/.test(name)) return name;
    offset ||= name;
  }
  return usual[zone]?.[offset] ?? offset;
}
