/** Markup that must never become elements. */
export const markup: string = [
  "<script>document.title='pwned'</script>",
  "<img src=x onerror=\"document.title='pwned'\">",
  "<svg onload=\"document.title='pwned'\"><animate onbegin=alert(1)></svg>",
  '<iframe srcdoc="<script>parent.document.title=1</script>"></iframe>',
  '<a href="javascript:alert(1)">Approve once</a>',
  "<style>*{display:none}</style><base href=//evil.test><form action=//evil.test>",
  "</pre></dd><button>Approve once</button>",
].join("\n");

/** Characters that turn the direction of text, hide it or control a terminal. */
export const tricks = "\u202eevil\u2066\u200b\u{e0041}\u001b]0;x\u0007\u2028\r\b\u3164";

/** What must not be in the text of a page. */
export const hidden: RegExp = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2028]/u;
