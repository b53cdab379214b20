/* Runs the Unix program of its own name, for a test under Wine that starts `git` or `sh`. Wine cannot wait for a Unix program, so
   .ci/windows/test.py starts it and this relays its streams and its exit status. No release contains it.

   Request: the number of the bytes that follow, then strings, each with a NUL: the port's token, the name, the directory, the number of
   arguments, the arguments, and the environment. After it come the bytes of standard input, as frames. A frame is a letter, a length of four
   bytes, and that many bytes: `i` is input, `o` and `e` are output, `x` is the exit status in decimal. */
#define WIN32_LEAN_AND_MEAN
#include <winsock2.h>
#include <windows.h>
#include <shellapi.h>
#include <stdlib.h>
#include <string.h>

static SOCKET server;
static char *request;
static size_t used, allocated;

static void fail(const char *why) {
    DWORD written;
    WriteFile(GetStdHandle(STD_ERROR_HANDLE), why, (DWORD)strlen(why), &written, NULL);
    ExitProcess(125);
}

static void append(const char *bytes, size_t length) {
    if (used + length > allocated) {
        allocated = 2 * (used + length) + 4096;
        request = realloc(request, allocated);
        if (!request) fail("bridge: no memory\n");
    }
    memcpy(request + used, bytes, length);
    used += length;
}

static void append_wide(const wchar_t *text) {
    int length = WideCharToMultiByte(CP_UTF8, 0, text, -1, NULL, 0, NULL, NULL);
    char *utf8 = malloc((size_t)length);
    if (!utf8) fail("bridge: no memory\n");
    WideCharToMultiByte(CP_UTF8, 0, text, -1, utf8, length, NULL, NULL);
    append(utf8, (size_t)length);
    free(utf8);
}

static void send_all(const char *bytes, size_t length) {
    while (length) {
        int sent = send(server, bytes, (int)length, 0);
        if (sent <= 0) ExitProcess(125);
        bytes += sent, length -= (size_t)sent;
    }
}

static void receive_all(char *bytes, size_t length) {
    while (length) {
        int received = recv(server, bytes, (int)length, 0);
        if (received <= 0) fail("bridge: the server has gone\n");
        bytes += received, length -= (size_t)received;
    }
}

static DWORD WINAPI relay_input(void *nothing) {
    static char buffer[5 + 65536];
    HANDLE input = GetStdHandle(STD_INPUT_HANDLE);
    DWORD length = 0;
    (void)nothing;
    do {
        if (!input || input == INVALID_HANDLE_VALUE || !ReadFile(input, buffer + 5, 65536, &length, NULL)) length = 0;
        buffer[0] = 'i';
        memcpy(buffer + 1, &length, 4);
        send_all(buffer, 5 + length);
    } while (length);
    return 0;
}

static void connect_to_server(void) {
    char port[16];
    struct sockaddr_in address = {0};
    WSADATA data;
    if (!GetEnvironmentVariableA("BRIDGE_PORT", port, sizeof port)) fail("bridge: BRIDGE_PORT is not set\n");
    WSAStartup(MAKEWORD(2, 2), &data);
    server = socket(AF_INET, SOCK_STREAM, 0);
    address.sin_family = AF_INET;
    address.sin_port = htons((u_short)atoi(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (connect(server, (struct sockaddr *)&address, sizeof address)) fail("bridge: there is no server\n");
}

int main(void) {
    static wchar_t text[32768];
    static char buffer[65536], number[16];
    int count;
    wchar_t **arguments = CommandLineToArgvW(GetCommandLineW(), &count);
    connect_to_server();
    GetModuleFileNameW(NULL, text, 32768);
    append_wide(text);
    GetCurrentDirectoryW(32768, text);
    append_wide(text);
    append(_itoa(count - 1, number, 10), strlen(number) + 1);
    for (int i = 1; i < count; i++) append_wide(arguments[i]);
    for (wchar_t *variable = GetEnvironmentStringsW(); *variable; variable += wcslen(variable) + 1) append_wide(variable);
    unsigned length = (unsigned)used;
    send_all((char *)&length, 4);
    send_all(request, used);
    CreateThread(NULL, 0, relay_input, NULL, 0, NULL);
    for (;;) {
        receive_all(buffer, 5);
        char kind = buffer[0];
        memcpy(&length, buffer + 1, 4);
        receive_all(buffer, length);
        if (kind == 'x') ExitProcess((UINT)atoi(buffer));
        DWORD written;
        WriteFile(GetStdHandle(kind == 'o' ? STD_OUTPUT_HANDLE : STD_ERROR_HANDLE), buffer, length, &written, NULL);
    }
}
