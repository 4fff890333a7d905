import fc from 'fast-check';
import { allBad, allGood } from '../content/bodies.ts';

// What programs put on the clipboard, cut down to what is peculiar to each: `…` stands for what was copied.
const wrappings: Readonly<Record<string, readonly string[]>> = {
  word: [
    '<html xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office"><head><meta name=ProgId content=Word.Document><!--[if gte mso 9]><xml><o:OfficeDocumentSettings><o:AllowPNG/></o:OfficeDocumentSettings></xml><![endif]--><style><!-- /* Style Definitions */ p.MsoNormal {mso-style-unhide:no;} @page WordSection1 {size:612.0pt 792.0pt;} --></style></head><body lang=EN-GB style=\'tab-interval:36.0pt\'><!--StartFragment-->…<!--EndFragment--></body></html>',
    "<p class=MsoNormal style='margin-bottom:8.0pt;line-height:107%'><span lang=EN-US style='mso-fareast-language:EN-US'>…<o:p></o:p></span></p>",
    "<p class=MsoListParagraphCxSpFirst style='text-indent:-18.0pt;mso-list:l0 level1 lfo1'><![if !supportLists]><span style='font-family:Symbol;mso-list:Ignore'>·<span style='font:7.0pt \"Times New Roman\"'>&nbsp;&nbsp;&nbsp; </span></span><![endif]>…<o:p>&nbsp;</o:p></p>",
    '<h1 style=\'mso-outline-level:1\'><a name="_Toc1"></a>…</h1><w:sdt SdtTag="goog_rdk_0"><p class=MsoNormal>…</p></w:sdt>',
    "<table class=MsoTableGrid border=1 style='border-collapse:collapse;mso-yfti-tbllook:1184'><tr style='mso-yfti-irow:0'><td width=301 valign=top>…</td><td>…</td></tr></table>",
    '<!--[if gte vml 1]><v:shape id="_x0000_i1025" type="#_x0000_t75"><v:imagedata src="file:///C:/Users/x/clip_image001.png"/></v:shape><![endif]--><![if !vml]><img width=12 height=9 src="file:///C:/Users/x/clip_image001.png" v:shapes="_x0000_i1025"><![endif]>…',
  ],
  docs: [
    '<meta charset=\'utf-8\'><b style="font-weight:normal;" id="docs-internal-guid-1f">…</b><br class="Apple-interchange-newline">',
    '<p dir="ltr" style="line-height:1.38;margin-top:0pt;"><span style="font-size:11pt;font-family:Arial;font-weight:700;vertical-align:baseline;white-space:pre-wrap;">…</span></p>',
    '<ul style="padding-inline-start:48px;"><li dir="ltr" aria-level="1"><p dir="ltr" role="presentation">…</p></li><ul><li dir="ltr" aria-level="2">…</li></ul></ul>',
    '<span style="border:none;display:inline-block;overflow:hidden;width:60px"><img src="https://lh7.googleusercontent.com/docsz/a=s800?key=x" width="602" height="339.2" style="margin-left:0px"/></span>…',
    '<a href="https://www.google.com/url?q=https://example.com/a&sa=D" style="text-decoration:none;">…</a><sup style="font-size:6pt">1</sup>',
    '<div dir="ltr" align="left"><table style="border:none"><colgroup><col width="100"/></colgroup><tbody><tr style="height:0pt"><td>…</td></tr></tbody></table></div>',
  ],
  libreoffice: [
    '<!DOCTYPE html><html><head><meta name="generator" content="LibreOffice 24.2.5.2 (Linux)"/><style type="text/css">p { line-height: 115%; background: transparent }</style></head><body lang="de-DE" link="#000080" dir="ltr">…</body></html>',
    '<p style="line-height: 100%; margin-bottom: 0cm"><font color="#000000"><font face="Liberation Serif, serif"><font size="3" style="font-size: 12pt"><b>…</b></font></font></font></p>',
    '<p><a name="__DdeLink__1"></a><sdfield type=PAGE subtype=RANDOM format=PAGE>1</sdfield> <i>…</i></p>',
    '<ol start="3"><li value="3"><p style="margin-bottom: 0cm">…</p></ol>',
    '<table width="100%" cellpadding="4" cellspacing="0"><col width="128*"/><thead><tr valign="top"><th>…</th></tr></thead></table>',
    '<center>…</center><dl><dt>…</dt><dd>…</dd></dl>',
  ],
  pages: [
    '<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.01//EN"><html><head><meta http-equiv="Content-Style-Type" content="text/css"><meta name="Generator" content="Cocoa HTML Writer"><style type="text/css">p.p1 {margin: 0.0px}</style></head><body>…</body></html>',
    '<p class="p1"><span class="s1">…<span class="Apple-converted-space">&nbsp; </span></span></p>',
    '<p class="p2"><span class="Apple-tab-span" style="white-space:pre">\t</span>…<br></p>',
    '<ul class="ul1"><li class="li1"><span class="s2"></span>…</li></ul>',
  ],
  outlook: [
    '<div class="WordSection1"><p class="MsoNormal">…<o:p></o:p></p></div>',
    '<div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm"><p class="MsoNormal"><b>From:</b> Robin &lt;robin@example.com&gt;<br><b>Sent:</b> Tuesday<br></p>…</div>',
    '<a href="https://emea01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fexample.com%2F&amp;data=05%7C02" originalsrc="https://example.com/" shash="x" data-auth="Verified">…</a>',
    '<img border=0 width=96 height=96 style=\'width:1.0in\' id="Picture_x0020_1" src="cid:image001.png@01DA" alt="A logo"><blockquote type="cite">…</blockquote>',
    '<div id="divtagdefaultwrapper" dir="ltr"><font face="Calibri,Arial" size="2"><span style="font-size:11pt">…</span></font><hr tabindex="-1" style="display:inline-block; width:98%"></div>',
  ],
  notion: [
    "<meta charset='utf-8'><!-- notionvc: 0f1c -->…",
    '<h2>…</h2><ul><li><input type="checkbox" checked>…</li><li><p>…</p><ul><li>…</li></ul></li></ul>',
    '<details open=""><summary>…</summary><p>…</p></details>',
    '<figure class="callout" style="white-space:pre-wrap"><div><span class="icon">💡</span></div><div>…</div></figure>',
    '<pre><code class="language-javascript">if (a &lt; b &amp;&amp; c) {\n  …\n}</code></pre><blockquote>…</blockquote>',
    '<p><mark class="highlight-red"><strong>…</strong></mark> <a href="/0f1c?pvs=25">…</a> <time>@Today</time></p>',
    '<table class="simple-table"><tbody><tr id="a"><td id="b">…</td></tr></tbody></table>',
  ],
};

export const programs = Object.keys(wrappings);

const text = fc.constantFrom(
  'Hello',
  'See you at 18:00',
  '“Quoted” – and more…',
  'one&nbsp;two',
  '&lt;b&gt; is bold',
  'Müller &amp; Söhne',
  '日本語 العربية 🙂',
  'a\u00adb\u200bc\u200d\ufeffd',
  'line\u2028end\u0007',
  '  blanks \n\t and lines  ',
  '{{var_first_name}}',
  '{{ first_name }}',
  '{%if x%}',
  '{{{raw}}}',
  '${x} <%= y %>',
  '&#0;&#x80;&notanentity;',
  '',
);
const inline = fc.constantFrom(
  '<b>…</b>',
  '<em>…</em>',
  '<strong><i>…</i></strong>',
  '<u>…</u>',
  '<s>…</s>',
  '<span style="color:red">…</span>',
  '<a href="https://example.com/?a=1&b=2" title="A &quot;title&quot;">…</a>',
  '<a href="mailto:hello@example.com">…</a>',
  '<a href="{{link_var_join}}" class="button">…</a>',
  '<a href="javascript:alert(1)">…</a>',
  '<a href="https://user:secret@example.com/">…</a>',
  '<a href="file:///C:/a.docx">…</a>',
  '<a href="https://example.com/{{var_a}}">…</a>',
  '<img src="https://example.com/a.png" alt="…" width="9999">',
  '<img src="data:image/png;base64,iVBORw0KGgo=" alt="…">',
  '<span data-var="var_x">…</span>',
  '<p onclick="alert(1)">…</p>',
  '…<br>…',
  '<svg><title>…</title></svg>',
  '<p>…</p>',
  '<li>…</li>',
  '<div>…',
  '…</b></p>',
);

const fill = (outer: string, inner: readonly string[]): string => {
  let at = 0;
  return outer.replaceAll('…', () => inner[at++ % inner.length]!);
};

/** What was copied: texts with marks around them, now and then something that means harm. */
const copied = fc.letrec<{ piece: string }>((tie) => ({
  piece: fc.oneof(
    { maxDepth: 4, depthSize: 'medium' },
    { weight: 4, arbitrary: text },
    { weight: 1, arbitrary: fc.constantFrom(...allBad) },
    { weight: 1, arbitrary: fc.constantFrom(...allGood) },
    {
      weight: 5,
      arbitrary: fc
        .tuple(inline, fc.array(tie('piece'), { minLength: 1, maxLength: 3 }))
        .map(([outer, inner]) => fill(outer, inner)),
    },
  ),
})).piece;

/** A fragment as a program would put it on the clipboard, up to three of its wrappings deep. */
export const fragments = fc.constantFrom(...programs).chain((program) =>
  fc
    .tuple(
      fc.array(fc.constantFrom(...wrappings[program]!), { minLength: 1, maxLength: 3 }),
      fc.array(copied, { minLength: 1, maxLength: 4 }),
    )
    .map(([around, inner]) => ({
      program,
      html: around.reduceRight((within, outer) => fill(outer, [within, ...inner]), inner.join(' ')),
    })),
);
